package gatebook.api.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.api.archive.ArchiveAddress.Bucket;
import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.archive.ArchiveTargetContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;

/** A bucket of S3 as a target of archives. Whether a server enforces a lock is not shown here. */
final class S3TargetTest extends ArchiveTargetContract {
  private static final AtomicInteger FOLDERS = new AtomicInteger();
  private static S3Server server;

  @BeforeAll
  static void start() throws IOException {
    server = S3Server.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected ArchiveTarget target() {
    return server.target("folder-%d/".formatted(FOLDERS.incrementAndGet()));
  }

  /** The server here keeps no lock, so the requests are looked at. */
  @Test
  void anArchivedObjectIsLockedAndAManifestIsNot() throws IOException {
    Map<String, SdkHttpRequest> sent = new ConcurrentHashMap<>();
    ExecutionInterceptor recorder =
        new ExecutionInterceptor() {
          @Override
          public void beforeTransmission(
              Context.BeforeTransmission context, ExecutionAttributes attributes) {
            sent.put(context.httpRequest().encodedPath(), context.httpRequest());
          }
        };
    try (ArchiveTarget target =
        new S3Target(
            server
                .client()
                .overrideConfiguration(it -> it.addExecutionInterceptor(recorder))
                .build(),
            new Bucket(S3Server.BUCKET, "locked/"),
            Optional.of(new ArchiveLock(ArchiveLock.Mode.COMPLIANCE, 200)))) {
      target.putIfAbsent("segment", file("x"));
      target.put("manifest", "x".getBytes(UTF_8));
    }
    SdkHttpRequest segment = requireNonNull(sent.get("/gatebook/locked/segment"));
    SdkHttpRequest manifest = requireNonNull(sent.get("/gatebook/locked/manifest"));

    assertThat(segment.firstMatchingHeader("x-amz-object-lock-mode")).contains("COMPLIANCE");
    assertThat(
            segment.firstMatchingHeader("x-amz-object-lock-retain-until-date").map(Instant::parse))
        .hasValueSatisfying(
            until -> assertThat(until).isAfter(Instant.now().plus(Duration.ofDays(199))));
    assertThat(manifest.headers()).doesNotContainKey("x-amz-object-lock-mode");
  }

  @Test
  void aBucketThatIsNotThereIsTold() {
    try (ArchiveTarget target =
        new S3Target(server.client().build(), new Bucket("elsewhere", ""), Optional.empty())) {
      assertThatThrownBy(() -> target.put("manifest", new byte[1]))
          .isInstanceOf(ArchiveFailure.class)
          .hasMessage(
              "the archive s3://elsewhere/ cannot store manifest: The specified bucket does not"
                  + " exist. (404 NoSuchBucket)");
    }
  }

  @Test
  void addressesAreReadStrictly() {
    assertThat(ArchiveAddress.parse("s3://logs/a//")).contains(new Bucket("logs", "a/"));
    assertThat(ArchiveAddress.parse("s3://logs")).contains(new Bucket("logs", ""));
    assertThat(ArchiveAddress.parse("/mnt/archive"))
        .contains(new ArchiveAddress.Directory(Path.of("/mnt/archive")));
    for (String wrong : new String[] {"", "s3:logs", "s3://L/a", "s3://logs/a?b", "gs://logs"}) {
      assertThat(ArchiveAddress.parse(wrong)).as(wrong).isEmpty();
    }
  }
}
