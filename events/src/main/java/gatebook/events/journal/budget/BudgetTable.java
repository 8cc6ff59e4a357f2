package gatebook.events.journal.budget;

import gatebook.events.journal.postgres.SharedConnection;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.postgres.SharedTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of a shared database from which nodes lease calls of daily budgets, some at once. What
 * all nodes together lease is never more than the budget; what a node does not return is lost for
 * the day.
 */
public final class BudgetTable implements AutoCloseable {

  /** An arbitrary number, the same in every process. */
  private static final long CREATION_LOCK = 0x6275_6467_6574_7331L;

  /** The principal of a budget that all principals share; no principal has an empty name. */
  private static final String ALL = "";

  /** A lease is this part of what is left, so that leases become small when the end is near. */
  private static final long PART = 20;

  private static final long LEASE_MAX = 10_000;

  private final SharedTable table;

  public BudgetTable(SharedLocation location) {
    this.table =
        new SharedTable(
            location,
            "gatebook budgets",
            CREATION_LOCK,
            """
            CREATE TABLE IF NOT EXISTS daily_budgets (
              day DATE NOT NULL,
              quota TEXT NOT NULL,
              principal TEXT NOT NULL,
              leased BIGINT NOT NULL,
              PRIMARY KEY (day, quota, principal))
            """);
  }

  /**
   * A budget of a day.
   *
   * @param principal empty for one that all principals share
   */
  public record Budget(LocalDate day, String quota, String principal) {

    /** A budget that all principals share. */
    public static Budget ofAll(LocalDate day, String quota) {
      return new Budget(day, quota, ALL);
    }

    /** Whether all principals share it. */
    public boolean isOfAll() {
      return principal.equals(ALL);
    }
  }

  /** A budget, and how much of it the nodes leased. */
  public record Leased(Budget budget, long calls) {}

  /** Leases calls of a budget; returns how many, which is 0 when it is used up. */
  public synchronized long lease(Budget budget, long max) throws IOException {
    return table.run(connection -> {
      long left = max - lockedLeased(connection, budget);
      long lease = Math.min(LEASE_MAX, Math.ceilDiv(Math.max(0, left), PART));
      if (lease > 0) {
        add(connection, budget, lease);
      }
      return lease;
    });
  }

  /** Returns leased calls that were not used. */
  public synchronized void giveBack(Budget budget, long calls) throws IOException {
    run(connection -> {
      add(connection, budget, -calls);
      return true;
    });
  }

  /** Removes the budgets of the days before this one. */
  public synchronized void removeBefore(LocalDate day) throws IOException {
    run(connection -> {
      try (PreparedStatement delete =
          connection.prepareStatement("DELETE FROM daily_budgets WHERE day < ?")) {
        delete.setObject(1, day);
        return delete.executeUpdate() > 0;
      }
    });
  }

  /** All budgets of a day of which calls were leased. */
  public synchronized List<Leased> leased(LocalDate day) throws IOException {
    return table.run(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT quota, principal, leased FROM daily_budgets WHERE day = ?")) {
        select.setObject(1, day);
        try (ResultSet row = select.executeQuery()) {
          List<Leased> leased = new ArrayList<>();
          while (row.next()) {
            leased.add(
                new Leased(new Budget(day, row.getString(1), row.getString(2)), row.getLong(3)));
          }
          return leased;
        }
      }
    });
  }

  private void run(SharedConnection.Use<Boolean> use) throws IOException {
    var _ = table.run(use);
  }

  /** Locks the row until the end of the transaction. */
  private static long lockedLeased(Connection connection, Budget budget) throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO daily_budgets VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING");
        PreparedStatement select =
            connection.prepareStatement(
                """
                SELECT leased FROM daily_budgets
                WHERE day = ? AND quota = ? AND principal = ? FOR UPDATE
                """)) {
      setKey(insert, 1, budget);
      insert.executeUpdate();
      setKey(select, 1, budget);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static void add(Connection connection, Budget budget, long calls) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE daily_budgets SET leased = leased + ?
            WHERE day = ? AND quota = ? AND principal = ?
            """)) {
      update.setLong(1, calls);
      setKey(update, 2, budget);
      update.executeUpdate();
    }
  }

  private static void setKey(PreparedStatement statement, int first, Budget budget)
      throws SQLException {
    statement.setObject(first, budget.day());
    statement.setString(first + 1, budget.quota());
    statement.setString(first + 2, budget.principal());
  }

  @Override
  public synchronized void close() {
    table.close();
  }
}
