package gatebook.events.journal;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.time.Duration;

/** Builds the PostgreSQL servers for tests, which force their commits as the gateway requires. */
public final class PostgresForTests {

  private PostgresForTests() {}

  public static EmbeddedPostgres.Builder builder() {
    if (isRoot() && !LinuxUtils.isUnshareAvailable()) {
      throw new IllegalStateException(
          "PostgreSQL does not run as root, and this machine permits no user namespaces: "
              + "run the tests as another user");
    }
    return EmbeddedPostgres.builder()
        .setPGStartupWait(Duration.ofMinutes(2))
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("full_page_writes", "on");
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }
}
