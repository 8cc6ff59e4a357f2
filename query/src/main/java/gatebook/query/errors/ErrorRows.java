package gatebook.query.errors;

import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
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
  private final CountBatch observedCounts;
  private final List<ErrorRow> rows = new ArrayList<>();
  private final List<ObservedRow> observed = new ArrayList<>();

  /** The denials of which the caller was not told yet, by call. */
  private final Map<UUID, ErrorRow> untold = new HashMap<>();

  /** Cached, because there are few different keys. */
  private final Map<AddressedKey, ErrorKeys> errorKeys = new HashMap<>();

  private final Map<DenialKey, Long> denialKeys = new HashMap<>();

  /** What the errors of one key of counts have in common. */
  private record AddressedKey(ErrorKey key, AddressedAgent agent) {}

  private record ErrorKeys(long fingerprint, Long countKey) {
    static ErrorKeys of(ErrorKey key, AddressedAgent agent) {
      long fingerprint = key.fingerprint();
      String joined = "%x\0%s\0%s".formatted(fingerprint, text(agent.agent()), text(agent.skill()));
      return new ErrorKeys(fingerprint, CountTable.key(joined));
    }

    private static String text(@Nullable String value) {
      return value == null ? "" : "=" + value;
    }
  }

  /** What the denials of one key of counts have in common. */
  private record DenialKey(String gate, String reason, Dialect dialect, int code) {
    Long countKey() {
      return CountTable.key(
          String.join("\0", gate, reason, dialect.word(), Integer.toString(code)));
    }
  }

  ErrorRows(Connection view) {
    this.view = view;
    this.errorCounts = new CountBatch(view, Counted.ERRORS.counts());
    this.denialCounts = new CountBatch(view, Counted.DENIALS.counts());
    this.observedCounts = new CountBatch(view, Counted.OBSERVED.tables().getLast());
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
    ErrorKeys known =
        errorKeys.computeIfAbsent(
            new AddressedKey(key, agent), it -> ErrorKeys.of(it.key, it.agent));
    return new Failure(
        EpochNanos.of(entry.at()), key, known.fingerprint, agent, times, known.countKey);
  }

  private void tell(ErrorRow denied, ErrorResponse told, long position) {
    Denial denial = Objects.requireNonNull(denied.denial());
    Long countKey =
        denialKeys.computeIfAbsent(
            new DenialKey(denial.gate(), denial.reason(), told.dialect(), told.code()),
            DenialKey::countKey);
    denied.tell(told, countKey, position);
    denialCounts.add(denial.at(), countKey, 1, denied.place());
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
          denialCounts.add(row.getLong(3), null, -1, row.getLong(1));
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
    List<ErrorRow> withoutKey = rows.stream().filter(ErrorRow::isUntold).toList();
    RowBatch.write(view, ErrorRow.INSERT, rows, (insert, row) -> row.set(insert));
    RowBatch.write(view, ErrorRow.INSERT_UNTOLD, withoutKey, (insert, row) -> row.setPlace(insert));
    RowBatch.write(view, ObservedRow.INSERT, observed, (insert, row) -> row.set(insert));
    withoutKey.forEach(
        row -> denialCounts.add(Objects.requireNonNull(row.denial()).at(), null, 1, row.place()));
    observed.forEach(row -> observedCounts.add(row.at(), null, 1, row.place()));
    errorCounts.write();
    denialCounts.write();
    observedCounts.write();
  }
}
