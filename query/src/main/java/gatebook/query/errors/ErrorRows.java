package gatebook.query.errors;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.journal.storage.Entry;
import gatebook.query.counts.CountBatch;
import gatebook.query.counts.CountTable;
import gatebook.query.errors.ErrorRow.Denial;
import gatebook.query.errors.ErrorRow.Failure;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.PageRows;
import gatebook.query.projection.RowBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the denials and errors on one page. */
final class ErrorRows implements PageRows {
  private final Connection view;
  private final CountBatch errorCounts;
  private final CountBatch denialCounts;
  private final List<ErrorRow> rows = new ArrayList<>();
  private final List<ObservedRow> observed = new ArrayList<>();

  /** The denials of which the caller was not told yet, by call. */
  private final Map<UUID, ErrorRow> untold = new HashMap<>();

  /** Cached, because there are few different keys. */
  private final Map<ErrorKey, Long> fingerprints = new HashMap<>();

  private final Map<String, Long> countKeys = new HashMap<>();

  ErrorRows(Connection view) {
    this.view = view;
    this.errorCounts = new CountBatch(view, Counted.ERRORS.counts());
    this.denialCounts = new CountBatch(view, Counted.DENIALS.counts());
  }

  void add(GateDenied denied, Entry entry) {
    addUntold(
        denied.callId(),
        entry.position(),
        new Denial(
            EpochNanos.of(entry.at()),
            denied.gate().word(),
            denied.target(),
            denied.principal(),
            denied.reason().word(),
            ObservedDenial.of(denied.observed(), denied.target())));
  }

  private void addUntold(UUID call, long position, Denial denial) {
    ErrorRow row = new ErrorRow(call, position, denial);
    rows.add(row);
    untold.put(call, row);
  }

  /** Adds the verdict of a candidate that would deny a call which no gate denied. */
  void addObserved(UUID call, @Nullable ObservedVerdict verdict, Entry entry) {
    ObservedDenial denial = ObservedDenial.of(verdict, null);
    if (verdict != null && denial != null) {
      observed.add(
          new ObservedRow(
              call,
              entry.position(),
              EpochNanos.of(entry.at()),
              Objects.requireNonNull(verdict.principal()),
              denial));
    }
  }

  void add(ErrorTranslated translated, Entry entry, AddressedAgent agent) throws SQLException {
    ErrorRow denied =
        translated.fault().gate().isPresent() ? takeUntold(translated.callId()) : null;
    if (denied != null) {
      tell(denied, translated.told(), entry.position());
    }
    if (translated.firstToldTo() != null) {
      return;
    }
    ErrorKey key = ErrorKey.of(translated.told(), translated.fault(), translated.target());
    Failure failure = failure(entry, key, agent, 1);
    if (denied != null && denied.belongs(key, entry.position())) {
      denied.fail(failure);
      count(failure, denied.place());
    } else {
      add(new ErrorRow(translated.callId(), entry.position(), 0, failure), failure);
    }
  }

  void add(MessageRefused refused, Entry entry) {
    Failure failure =
        failure(entry, ErrorKey.of(refused.told(), refused.fault(), null), AddressedAgent.NONE, 1);
    add(new ErrorRow(refused.callId(), entry.position(), 0, failure), failure);
  }

  void add(MessagesRefused refused, Entry entry) {
    int number = 0;
    for (MessagesRefused.Count count : refused.counts()) {
      Failure failure = failure(entry, ErrorKey.of(count), AddressedAgent.NONE, count.count());
      add(new ErrorRow(null, entry.position(), number++, failure), failure);
    }
  }

  private void add(ErrorRow row, Failure failure) {
    rows.add(row);
    count(failure, row.place());
  }

  private void count(Failure failure, long place) {
    errorCounts.add(failure.at(), failure.countKey(), failure.times(), place);
  }

  private Failure failure(Entry entry, ErrorKey key, AddressedAgent agent, long times) {
    long fingerprint = fingerprints.computeIfAbsent(key, ErrorKey::fingerprint);
    long countKey =
        countKey("%x\0%s\0%s".formatted(fingerprint, text(agent.agent()), text(agent.skill())));
    return new Failure(EpochNanos.of(entry.at()), key, fingerprint, agent, times, countKey);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : "=" + value;
  }

  private void tell(ErrorRow denied, ErrorResponse told, long position) {
    Denial denial = Objects.requireNonNull(denied.denial());
    long countKey =
        countKey(
            String.join(
                "\0",
                denial.gate(),
                denial.reason(),
                told.dialect().word(),
                Integer.toString(told.code())));
    denied.tell(told, countKey, position);
    denialCounts.add(denial.at(), countKey, 1, denied.place());
  }

  private long countKey(String values) {
    return countKeys.computeIfAbsent(values, CountTable::key);
  }

  /** The newest denial of a call of which its caller was not told: a row of this page from now. */
  private @Nullable ErrorRow takeUntold(UUID call) throws SQLException {
    if (!untold.containsKey(call)) {
      takeStored(call);
    }
    return untold.remove(call);
  }

  private void takeStored(UUID call) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT place, position, denied_at, gate, target, principal, reason, "
                + ObservedDenial.COLUMNS
                + " FROM errors WHERE place = (SELECT MAX(place) FROM untold WHERE call = ?)")) {
      select.setObject(1, call);
      try (ResultSet row = select.executeQuery()) {
        if (row.next()) {
          addUntold(
              call,
              row.getLong(2),
              new Denial(
                  row.getLong(3),
                  row.getString(4),
                  row.getString(5),
                  row.getString(6),
                  row.getString(7),
                  ObservedDenial.of(row, 8)));
          delete("errors", row.getLong(1));
          delete("untold", row.getLong(1));
        }
      }
    }
  }

  private void delete(String table, long place) throws SQLException {
    try (PreparedStatement delete =
        view.prepareStatement("DELETE FROM %s WHERE place = ?".formatted(table))) {
      delete.setLong(1, place);
      int _ = delete.executeUpdate();
    }
  }

  @Override
  public void write() throws SQLException {
    RowBatch.write(view, ErrorRow.INSERT, rows, (insert, row) -> row.set(insert));
    RowBatch.write(
        view,
        ErrorRow.INSERT_UNTOLD,
        rows.stream().filter(ErrorRow::isUntold).toList(),
        (insert, row) -> row.setPlace(insert));
    RowBatch.write(view, ObservedRow.INSERT, observed, (insert, row) -> row.set(insert));
    errorCounts.write();
    denialCounts.write();
  }
}
