package gatebook.api.archive;

import gatebook.api.archive.ArchiveAddress.Bucket;
import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.ArchivedObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectLockMode;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * A target of archives in a bucket of S3, or of another server that speaks its protocol.
 *
 * <p>Credentials, region and address of the server are what the AWS SDK finds: {@code
 * AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}, {@code AWS_REGION}, {@code
 * AWS_ENDPOINT_URL_S3}, and its other sources. It also repeats requests that failed, as often as
 * {@code AWS_MAX_ATTEMPTS} says.
 */
public final class S3Target implements ArchiveTarget {
  private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  /** The most bytes that S3 takes in one request. */
  private static final long OBJECT_BYTES_MAX = 5L << 30;

  private static final int COPY_BYTES = 1 << 16;
  private static final int PRECONDITION_FAILED = 412;
  private static final int CONFLICT = 409;
  private static final int CONFLICTS_MAX = 3;
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final S3Client client;
  private final Bucket bucket;
  private final Optional<ArchiveLock> lock;

  S3Target(S3Client client, Bucket bucket, Optional<ArchiveLock> lock) {
    this.client = client;
    this.bucket = bucket;
    this.lock = lock;
  }

  static S3Target open(Bucket bucket, Optional<ArchiveLock> lock) throws ArchiveFailure {
    boolean isForeign =
        Stream.of("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
            .anyMatch(name -> System.getenv(name) != null);
    try {
      // other servers have no host name for each bucket
      return new S3Target(builder().forcePathStyle(isForeign).build(), bucket, lock);
    } catch (SdkException e) {
      throw failure(bucket, "cannot be used", e);
    }
  }

  /** A client with the same limits as every other one. */
  static S3ClientBuilder builder() {
    return S3Client.builder()
        .httpClient(
            UrlConnectionHttpClient.builder()
                .connectionTimeout(CONNECT_MAX)
                .socketTimeout(SILENCE_MAX)
                .build());
  }

  /** A use of the bucket. */
  @FunctionalInterface
  private interface Use<T> {
    T run() throws IOException;
  }

  private <T> T use(String problem, Use<T> use) throws ArchiveFailure {
    try {
      return use.run();
    } catch (SdkException | IOException e) {
      throw failure(bucket, problem, e);
    }
  }

  private static ArchiveFailure failure(Bucket bucket, String problem, Exception e) {
    return new ArchiveFailure("the archive %s %s: %s".formatted(bucket, problem, reason(e)), e);
  }

  private static String reason(Exception e) {
    if (e instanceof S3Exception answered && answered.awsErrorDetails() != null) {
      return "%s (%d %s)"
          .formatted(
              answered.awsErrorDetails().errorMessage(),
              answered.statusCode(),
              answered.awsErrorDetails().errorCode());
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private String key(String name) {
    return bucket.prefix() + ArchiveTarget.requireName(name);
  }

  @Override
  public boolean putIfAbsent(String name, Path file) throws ArchiveFailure {
    PutObjectRequest request = locked(put(name).ifNoneMatch("*")).build();
    return use(
        "cannot store " + name,
        () -> {
          if (Files.size(file) > OBJECT_BYTES_MAX) {
            throw new IOException("the file is longer than the 5 GiB that S3 takes at once");
          }
          for (int conflicts = 0; ; conflicts++) {
            try {
              client.putObject(request, RequestBody.fromFile(file));
              return true;
            } catch (S3Exception e) {
              if (e.statusCode() == PRECONDITION_FAILED) {
                return false;
              }
              if (e.statusCode() != CONFLICT || conflicts == CONFLICTS_MAX) {
                throw e;
              }
            }
          }
        });
  }

  private PutObjectRequest.Builder put(String name) {
    return PutObjectRequest.builder().bucket(bucket.name()).key(key(name));
  }

  private PutObjectRequest.Builder locked(PutObjectRequest.Builder request) {
    lock.ifPresent(it ->
        request
            .objectLockMode(
                switch (it.mode()) {
                  case GOVERNANCE -> ObjectLockMode.GOVERNANCE;
                  case COMPLIANCE -> ObjectLockMode.COMPLIANCE;
                })
            .objectLockRetainUntilDate(Instant.now().plus(it.days(), ChronoUnit.DAYS)));
    return request;
  }

  @Override
  public void put(String name, byte[] bytes) throws ArchiveFailure {
    PutObjectRequest request = put(name).build();
    use("cannot store " + name, () -> client.putObject(request, RequestBody.fromBytes(bytes)));
  }

  @Override
  public Optional<byte[]> get(String name) throws ArchiveFailure {
    String key = key(name);
    return use(
        "cannot read " + name,
        () -> {
          try {
            return Optional.of(
                client.getObjectAsBytes(it -> it.bucket(bucket.name()).key(key)).asByteArray());
          } catch (NoSuchKeyException _) {
            return Optional.empty();
          }
        });
  }

  @Override
  public OptionalLong size(String name) throws ArchiveFailure {
    String key = key(name);
    return use(
        "cannot read " + name,
        () -> {
          try {
            return OptionalLong.of(
                client.headObject(it -> it.bucket(bucket.name()).key(key)).contentLength());
          } catch (NoSuchKeyException _) {
            return OptionalLong.empty();
          }
        });
  }

  @Override
  public byte[] read(String name, long from, int length) throws ArchiveFailure {
    String key = key(name);
    return use(
        "cannot read " + name,
        () -> {
          if (length == 0) {
            return new byte[0];
          }
          try {
            byte[] bytes =
                client
                    .getObjectAsBytes(it ->
                        it.bucket(bucket.name())
                            .key(key)
                            .range("bytes=%d-%d".formatted(from, from + length - 1)))
                    .asByteArray();
            if (bytes.length != length) {
              throw new IOException("it is shorter than it was");
            }
            return bytes;
          } catch (NoSuchKeyException e) {
            throw new IOException("there is no such object", e);
          }
        });
  }

  @Override
  public boolean copyTo(String name, Path file) throws ArchiveFailure {
    String key = key(name);
    return use(
        "cannot copy " + name,
        () -> {
          try (ResponseInputStream<GetObjectResponse> object =
              client.getObject(it -> it.bucket(bucket.name()).key(key))) {
            write(object, file, object.response().contentLength());
            return true;
          } catch (NoSuchKeyException _) {
            return false;
          }
        });
  }

  private static void write(InputStream object, Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNERS_FILE)) {
      byte[] part = new byte[COPY_BYTES];
      for (int read = object.read(part); read >= 0; read = object.read(part)) {
        ByteBuffer left = ByteBuffer.wrap(part, 0, read);
        while (left.hasRemaining()) {
          channel.write(left);
        }
      }
      if (channel.size() != bytes) {
        throw new IOException("the connection ended before the object did");
      }
      channel.force(true);
    }
  }

  @Override
  public List<ArchivedObject> list(String prefix) throws ArchiveFailure {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(bucket.name())
            .prefix(bucket.prefix() + prefix)
            .build();
    return use(
        "cannot be listed",
        () ->
            client.listObjectsV2Paginator(request).contents().stream()
                .map(it ->
                    new ArchivedObject(it.key().substring(bucket.prefix().length()), it.size()))
                .filter(it -> NAME.matcher(it.name()).matches())
                .toList());
  }

  @Override
  public void delete(String name) throws ArchiveFailure {
    String key = key(name);
    use(
        "cannot remove " + name,
        () -> client.deleteObject(it -> it.bucket(bucket.name()).key(key)));
  }

  @Override
  public String describe() {
    return bucket.toString();
  }

  @Override
  public void close() {
    client.close();
  }
}
