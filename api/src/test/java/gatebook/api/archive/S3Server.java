package gatebook.api.archive;

import gatebook.api.archive.ArchiveAddress.Bucket;
import gatebook.events.Requires;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** A server of S3 in a process of its own: Adobe's S3Mock. */
final class S3Server implements AutoCloseable {
  static final String BUCKET = "gatebook";
  private static final Pattern STARTED = Pattern.compile("started on ports .* (\\d+) \\(http\\)");
  private static final Path JARS =
      Path.of(System.getProperty("gatebook.root"), "api/src/test/peers/s3mock/target/lib");

  private final Process process;
  private final URI address;

  private S3Server(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  static S3Server start() throws IOException {
    Requires.folder(JARS);
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx256m",
                    "-cp",
                    JARS + "/*",
                    "com.adobe.testing.s3mock.S3MockApplication",
                    "--server.address=127.0.0.1",
                    "--server.port=0",
                    "--com.adobe.testing.s3mock.httpPort=0",
                    "--com.adobe.testing.s3mock.store.initial-buckets=" + BUCKET))
            .redirectErrorStream(true)
            .start();
    BufferedReader log = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder read = new StringBuilder();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      read.append(line).append('\n');
      Matcher started = STARTED.matcher(line);
      if (started.find()) {
        Thread.ofVirtual().start(() -> log.lines().forEach(_ -> {}));
        return new S3Server(process, URI.create("http://127.0.0.1:" + started.group(1)));
      }
    }
    throw new IOException("the server ended:\n" + read);
  }

  S3ClientBuilder client() {
    return S3Target.builder()
        .endpointOverride(address)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .forcePathStyle(true);
  }

  /** The properties by which clients in this process find the server. */
  Map<String, String> properties() {
    return Map.of(
        "aws.endpointUrlS3",
        address.toString(),
        "aws.region",
        "us-east-1",
        "aws.accessKeyId",
        "key",
        "aws.secretAccessKey",
        "secret");
  }

  S3Target target(String folder) {
    return new S3Target(client().build(), new Bucket(BUCKET, folder), Optional.empty());
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
