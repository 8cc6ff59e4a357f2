package gatebook.query.denials;

import gatebook.events.call.Gate;
import gatebook.events.journal.Journal;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Counts denials. The counts are exact: every denial counts once. */
public final class DenialQueries {
  private final View view;

  private DenialQueries(View view) {
    this.view = view;
  }

  /** Starts following the journal with the view in this file. */
  public static DenialQueries follow(ViewFile views, Journal journal, EventReader reader) {
    return new DenialQueries(View.follow(views, journal, new DenialsProjection(), reader));
  }

  public View view() {
    return view;
  }

  /**
   * Which denials to count.
   *
   * @param since recorded at or after this time
   * @param until recorded before this time
   * @param by the dimensions to group by; the gate when empty
   */
  public record Question(
      Optional<Instant> since, Optional<Instant> until, List<DenialDimension> by, int limit) {
    public Question {
      by = by.isEmpty() ? List.of(DenialDimension.GATE) : by.stream().distinct().toList();
    }

    private long from() {
      return since.map(EpochNanos::of).orElse(Long.MIN_VALUE);
    }

    private long to() {
      return until.map(EpochNanos::of).orElse(Long.MAX_VALUE);
    }
  }

  /**
   * The counts.
   *
   * @param total the count over all groups, including those not shown
   * @param groups the groups, largest first
   * @param more whether there are smaller groups
   */
  public record Counts(Reached reached, long total, List<DenialGroup> groups, boolean more) {
    public Counts {
      groups = List.copyOf(groups);
    }
  }

  /** Counts denials. Waits, for a limited time, until the view has reached {@code atLeast}. */
  public Counts count(Question question, long atLeast) throws InterruptedException {
    Reached reached = view.awaitHead(atLeast);
    return view.read(it -> counts(it, reached, question));
  }

  private static Counts counts(Connection view, Reached reached, Question question)
      throws SQLException {
    List<DenialGroup> groups = groups(view, question);
    boolean more = groups.size() > question.limit();
    List<DenialGroup> shown = more ? groups.subList(0, question.limit()) : groups;
    return new Counts(
        reached,
        total(view, question),
        question.by().equals(List.of(DenialDimension.GATE)) ? withEveryGate(shown) : shown,
        more);
  }

  private static long total(Connection view, Question question) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement("SELECT COUNT(*) FROM denials WHERE at >= ? AND at < ?")) {
      select.setLong(1, question.from());
      select.setLong(2, question.to());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static List<DenialGroup> groups(Connection view, Question question) throws SQLException {
    String columns =
        question.by().stream().map(DenialDimension::columns).collect(Collectors.joining(", "));
    List<DenialGroup> groups = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, d.at AS last_at, d.call AS last_call FROM (SELECT COUNT(*) AS n, MAX(position) AS last, %s FROM denials WHERE at >= ? AND at < ? GROUP BY %s ORDER BY n DESC, last DESC LIMIT ?) g JOIN denials d ON d.position = g.last ORDER BY g.n DESC, g.last DESC"
                .formatted(columns, columns))) {
      select.setLong(1, question.from());
      select.setLong(2, question.to());
      select.setInt(3, question.limit() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groups.add(group(row, question.by()));
        }
      }
    }
    return groups;
  }

  private static DenialGroup group(ResultSet row, List<DenialDimension> by) throws SQLException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    int column = 3;
    for (DenialDimension denialDimension : by) {
      switch (denialDimension) {
        case GATE, TOOL, PRINCIPAL, REASON ->
            members.put(denialDimension.word(), row.getString(column++));
        case CODE -> {
          members.put("dialect", row.getString(column++));
          members.put(denialDimension.word(), row.getObject(column++, Integer.class));
        }
        case HOUR ->
            members.put(
                denialDimension.word(), EpochNanos.toInstant(row.getLong(column++)).toString());
      }
    }
    return new DenialGroup(
        members,
        row.getLong("n"),
        EpochNanos.toInstant(row.getLong("last_at")).toString(),
        row.getObject("last_call", UUID.class));
  }

  /** Adds the gates that denied nothing, with a count of zero. */
  private static List<DenialGroup> withEveryGate(List<DenialGroup> groups) {
    return Arrays.stream(Gate.values())
        .map(gate ->
            groups.stream()
                .filter(denialGroup -> gate.word().equals(denialGroup.members().get("gate")))
                .findFirst()
                .orElseGet(() -> new DenialGroup(Map.of("gate", gate.word()), 0, null, null)))
        .toList();
  }
}
