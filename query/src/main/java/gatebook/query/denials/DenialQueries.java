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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.axonframework.messaging.queryhandling.annotation.QueryHandler;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about denials, which it counts and lists. The counts are exact: every denial
 * counts once.
 */
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

  @QueryHandler
  Counts handle(CountDenials query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> counts(it, reached, query));
  }

  /**
   * A page of denials, newest first.
   *
   * @param total the number of denials on all pages
   * @param next the cursor of the next page; empty on the last page
   */
  public record DenialPage(
      Reached reached, long total, List<ListedDenial> denials, OptionalLong next) {
    public DenialPage {
      denials = List.copyOf(denials);
    }
  }

  @QueryHandler
  DenialPage handle(ListDenials query) throws InterruptedException {
    Reached reached = view.awaitHead(query.atLeast());
    return view.read(it -> DenialSelection.page(it, reached, query));
  }

  private static Counts counts(Connection view, Reached reached, CountDenials query)
      throws SQLException {
    List<DenialGroup> groups = groups(view, query);
    boolean more = groups.size() > query.limit();
    List<DenialGroup> shown = more ? groups.subList(0, query.limit()) : groups;
    return new Counts(
        reached,
        total(view, query),
        query.by().equals(List.of(DenialDimension.GATE)) ? withEveryGate(shown) : shown,
        more);
  }

  private static long total(Connection view, CountDenials query) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement("SELECT COUNT(*) FROM denials WHERE at >= ? AND at < ?")) {
      select.setLong(1, query.from());
      select.setLong(2, query.to());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static List<DenialGroup> groups(Connection view, CountDenials query) throws SQLException {
    String columns =
        query.by().stream().map(DenialDimension::columns).collect(Collectors.joining(", "));
    List<DenialGroup> groups = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT g.*, d.at AS last_at, d.call AS last_call FROM (SELECT COUNT(*) AS n, MAX(position) AS last, %s FROM denials WHERE at >= ? AND at < ? GROUP BY %s ORDER BY n DESC, last DESC LIMIT ?) g JOIN denials d ON d.position = g.last ORDER BY g.n DESC, g.last DESC"
                .formatted(columns, columns))) {
      select.setLong(1, query.from());
      select.setLong(2, query.to());
      select.setInt(3, query.limit() + 1);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          groups.add(group(row, query.by()));
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
        case MINUTE, HOUR, DAY ->
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
