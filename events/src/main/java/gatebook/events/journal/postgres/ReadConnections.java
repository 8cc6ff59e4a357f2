package gatebook.events.journal.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Creates the pool of read-only connections to a journal's database. */
final class ReadConnections {
  private static final long WAIT_MILLIS = 10_000;

  private ReadConnections() {}

  static HikariDataSource pool(SharedLocation location, int readersMax) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("journal-readers");
    config.setJdbcUrl(location.url());
    config.setUsername(location.user());
    config.setPassword(location.password());
    config.setMaximumPoolSize(readersMax);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setInitializationFailTimeout(-1);
    config.setReadOnly(true);
    return new HikariDataSource(config);
  }
}
