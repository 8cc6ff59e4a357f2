package gatebook.query.errors;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.fault.Fault;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.call.EventData;
import gatebook.query.errors.ErrorGroup.Rate;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View.Reached;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The denials and errors of a journal, read from its events, and counted one by one. */
final class NaiveErrors {
  private static final long HOUR = 3_600_000_000_000L;

  private final RecordedTime recordedTime;
  private final Map<Counted, List<Item>> items = new HashMap<>();

  /**
   * A denial, or an error.
   *
   * @param place orders them as the journal does
   * @param values those of its members, by name
   * @param bothVerdicts of what is observed
   */
  record Item(
      @Nullable UUID call,
      long at,
      long place,
      long times,
      Map<String, @Nullable String> values,
      @Nullable BothVerdicts bothVerdicts) {}

  private NaiveErrors(Journal journal) {
    this.recordedTime = new RecordedTime(journal);
    for (Counted counted : Counted.values()) {
      items.put(counted, new ArrayList<>());
    }
  }

  static NaiveErrors of(Journal journal) {
    NaiveErrors errors = new NaiveErrors(journal);
    EventReader reader = new EventReader();
    Map<UUID, List<CallEvent>> calls = new HashMap<>();
    Map<UUID, Item> untold = new HashMap<>();
    long read = 0;
    while (read < journal.head()) {
      for (Entry entry : journal.read(read, 1_000)) {
        read = entry.position();
        Event event = reader.read(entry);
        if (event instanceof CallEvent ofCall) {
          calls.computeIfAbsent(ofCall.callId(), _ -> new ArrayList<>()).add(ofCall);
        }
        errors.add(event, entry, calls, untold);
      }
    }
    return errors;
  }

  private void add(
      Event event, Entry entry, Map<UUID, List<CallEvent>> calls, Map<UUID, Item> untold) {
    addObserved(event, entry);
    switch (event) {
      case GateDenied denied -> untold.put(denied.callId(), denial(denied, entry));
      case ErrorTranslated translated -> {
        Item denial = untold.get(translated.callId());
        if (translated.fault().gate().isPresent() && denial != null) {
          denial.values.put("dialect", translated.told().dialect().word());
          denial.values.put("code", Integer.toString(translated.told().code()));
          Item _ = untold.remove(translated.callId());
        }
        if (translated.firstToldTo() == null) {
          add(
              translated.callId(),
              entry,
              0,
              ErrorKey.of(translated.told(), translated.fault(), translated.target()),
              agent(calls.getOrDefault(translated.callId(), List.of()), translated),
              1);
        }
      }
      case MessageRefused refused ->
          add(
              refused.callId(),
              entry,
              0,
              ErrorKey.of(refused.told(), refused.fault(), null),
              AddressedAgent.NONE,
              1);
      case MessagesRefused refused -> {
        int number = 0;
        for (MessagesRefused.Count count : refused.counts()) {
          add(null, entry, number++, ErrorKey.of(count), AddressedAgent.NONE, count.count());
        }
      }
      default -> {}
    }
  }

  private void addObserved(Event event, Entry entry) {
    switch (event) {
      case GateDenied denied ->
          addObserved(
              denied.callId(), denied.observed(), denied.target(), denied.principal(), entry);
      case CallAdmitted admitted ->
          addObserved(admitted.callId(), admitted.observed(), null, null, entry);
      default -> {}
    }
  }

  /** Target and principal are those of the event, if it has any. */
  private void addObserved(
      UUID call,
      @Nullable ObservedVerdict verdict,
      @Nullable String target,
      @Nullable String principal,
      Entry entry) {
    if (verdict != null && verdict.outcome() == ObservedVerdict.Outcome.WOULD_DENY) {
      Map<String, @Nullable String> values = new HashMap<>();
      values.put("gate", verdict.gate() == null ? null : verdict.gate().word());
      values.put("tool", verdict.target() == null ? target : verdict.target());
      values.put("principal", principal == null ? verdict.principal() : principal);
      values.put("reason", verdict.reason());
      JsonNode data = EventData.of(entry, new EventVocabulary()).json();
      of(Counted.OBSERVED)
          .add(
              new Item(
                  call,
                  EpochNanos.of(entry.at()),
                  entry.position() * 1_000,
                  1,
                  values,
                  new BothVerdicts(
                      data.path("rulings").path(data.path("rulings").size() - 1),
                      data.path("observed"))));
    }
  }

  private static AddressedAgent agent(List<CallEvent> events, ErrorTranslated translated) {
    Fault fault = translated.fault();
    return translated.told().dialect() == Dialect.A2A
        ? AddressedAgent.of(events, fault)
        : AddressedAgent.NONE;
  }

  private Item denial(GateDenied denied, Entry entry) {
    Map<String, @Nullable String> values = new HashMap<>();
    values.put("gate", denied.gate().word());
    values.put("tool", denied.target());
    values.put("principal", denied.principal());
    values.put("reason", denied.reason().word());
    Item item =
        new Item(
            denied.callId(), EpochNanos.of(entry.at()), entry.position() * 1_000, 1, values, null);
    of(Counted.DENIALS).add(item);
    return item;
  }

  private void add(
      @Nullable UUID call,
      Entry entry,
      int number,
      ErrorKey key,
      AddressedAgent agent,
      long times) {
    Map<String, @Nullable String> values = new HashMap<>();
    values.put("fingerprint", ErrorKey.fingerprintText(key.fingerprint()));
    values.put("dialect", key.dialect().word());
    values.put("code", key.code());
    values.put("fault", key.fault());
    values.put("gate", key.gate());
    values.put("target", key.target());
    values.put("agent", agent.agent());
    values.put("skill", agent.skill());
    of(Counted.ERRORS)
        .add(
            new Item(
                call,
                EpochNanos.of(entry.at()),
                entry.position() * 1_000 + number,
                times,
                values,
                null));
  }

  List<Item> of(Counted counted) {
    return Objects.requireNonNull(items.get(counted));
  }

  /** The members of the groups of a query that are no parts of the time. */
  private static List<String> members(List<ErrorDimension> by) {
    return by.stream()
        .filter(it -> !it.isTime())
        .flatMap(it -> it.members().stream())
        .distinct()
        .toList();
  }

  private Stream<Item> matching(ErrorFilter filter, List<String> by) {
    boolean ofAgents =
        Stream.concat(filter.members().keySet().stream(), by.stream())
            .anyMatch(ErrorDimension::isOfAgents);
    return of(filter.counted()).stream()
        .filter(item ->
            filter.members().entrySet().stream()
                .allMatch(it -> matches(it.getValue(), item.values.get(it.getKey()))))
        .filter(item -> !ofAgents || "a2a".equals(item.values.get("dialect")));
  }

  private static boolean matches(ColumnFilter condition, @Nullable String value) {
    return switch (condition) {
      case ColumnFilter.Anything() -> true;
      case ColumnFilter.Nothing() -> value == null;
      case ColumnFilter.Exactly(var wanted) -> wanted.equals(value);
    };
  }

  private static boolean isIn(ErrorFilter filter, Item item) {
    Instant at = EpochNanos.toInstant(item.at);
    return filter.since().filter(at::isBefore).isEmpty()
        && filter.until().filter(it -> !at.isBefore(it)).isEmpty();
  }

  /** All pages of a list. */
  List<ListedError> list(ErrorFilter filter) {
    return matching(filter, List.of())
        .filter(item -> isIn(filter, item))
        .sorted(Comparator.comparingLong(Item::place).reversed())
        .map(item -> listed(filter.counted(), item))
        .toList();
  }

  private static ListedError listed(Counted counted, Item item) {
    Map<String, @Nullable String> values = item.values;
    return new ListedError(
        item.call,
        EpochNanos.toInstant(item.at).toString(),
        item.times,
        values.get("fingerprint"),
        values.get("dialect"),
        ErrorGroup.shown("code", values.get("code")),
        values.get("fault"),
        values.get("gate"),
        values.get(counted == Counted.ERRORS ? "target" : "tool"),
        values.get("agent"),
        values.get("skill"),
        values.get("principal"),
        values.get("reason"),
        item.bothVerdicts);
  }

  ErrorCounts count(CountErrors query, Reached reached) {
    List<String> by = members(query.dimensions());
    List<Item> ofAnyTime = matching(query.filter(), by).toList();
    List<Item> matching = ofAnyTime.stream().filter(it -> isIn(query.filter(), it)).toList();
    long newest = newest(query.filter().counted());
    TimeSpan recorded = recordedTime.until(Math.max(EpochNanos.of(query.now()), newest + 1));
    TimeSpan span = span(query.filter(), matching, recorded);
    Map<Map<String, @Nullable Object>, List<Item>> groups =
        matching.stream().collect(groupingBy(item -> members(query.dimensions(), item)));
    List<ErrorGroup> largest =
        groups.entrySet().stream()
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<?, List<Item>> group) -> times(group.getValue()))
                    .thenComparingLong(group -> last(group.getValue()).place)
                    .reversed())
            .limit(query.limit())
            .map(group -> {
              List<Item> same =
                  ofAnyTime.stream()
                      .filter(it -> members(query.dimensions(), it).equals(group.getKey()))
                      .toList();
              return group(query, group.getKey(), group.getValue(), same, span, recorded);
            })
            .toList();
    double partSeconds =
        query.by().stream()
            .filter(ErrorDimension::isTime)
            .mapToDouble(ErrorDimension::seconds)
            .min()
            .orElse(span.partSeconds());
    return new ErrorCounts(
        reached,
        EpochNanos.toInstant(span.from()),
        EpochNanos.toInstant(span.to()),
        partSeconds,
        times(matching),
        isOfEveryGate(query) ? withEveryGate(largest) : largest,
        groups.size() > query.limit());
  }

  /** How far the rows of those tables go that have what is counted. */
  private long newest(Counted counted) {
    return Stream.of(counted, counted == Counted.OBSERVED ? Counted.DENIALS : counted)
        .flatMap(it -> of(it).stream())
        .mapToLong(Item::at)
        .max()
        .orElse(0);
  }

  private static TimeSpan span(ErrorFilter filter, List<Item> matching, TimeSpan recorded) {
    long to = filter.until().map(EpochNanos::of).orElse(recorded.to());
    long first = matching.stream().mapToLong(Item::at).min().orElse(0);
    long from = filter.since().map(EpochNanos::of).orElse(Math.min(first, to));
    return new TimeSpan(from, Math.max(from, to));
  }

  private static Map<String, @Nullable Object> members(List<ErrorDimension> by, Item item) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (ErrorDimension dimension : by) {
      if (dimension.isTime()) {
        long second = Math.floorDiv(item.at, 1_000_000_000L);
        members.put(
            dimension.word(),
            Instant.ofEpochSecond(second - second % dimension.seconds()).toString());
      }
      for (String member : members(List.of(dimension))) {
        String value = item.values.get(member);
        members.put(
            member, value != null && member.equals("code") ? ErrorKey.shownCode(value) : value);
      }
    }
    return members;
  }

  private static long times(List<Item> items) {
    return items.stream().mapToLong(Item::times).sum();
  }

  private static long times(List<Item> items, TimeSpan span) {
    return items.stream().filter(it -> span.contains(it.at)).mapToLong(Item::times).sum();
  }

  private static Item last(List<Item> items) {
    return items.stream().max(Comparator.comparingLong(Item::place)).orElseThrow();
  }

  @SuppressWarnings("NullAway") // it does not see the annotation in a compiled constructor
  private static ErrorGroup group(
      CountErrors query,
      Map<String, @Nullable Object> members,
      List<Item> matching,
      List<Item> ofAnyTime,
      TimeSpan span,
      TimeSpan recorded) {
    long[] parts = span.parts().stream().mapToLong(it -> times(matching, it)).toArray();
    List<Long> sparkline = Arrays.stream(parts).boxed().toList();
    TimeSpan hour = new TimeSpan(span.to() - HOUR, span.to());
    TimeSpan day = new TimeSpan(hour.from() - 24 * HOUR, hour.from());
    long dayNanos =
        Math.max(0, Math.min(day.to(), recorded.to()) - Math.max(day.from(), recorded.from()));
    Rate rate = new Rate(times(ofAnyTime, hour), times(ofAnyTime, day), (double) dayNanos / HOUR);
    TimeSpan.Halves halves = span.halves(recorded);
    CountErrors.Comparison comparison = query.comparison();
    Trend trend =
        switch (comparison) {
          case NONE -> null;
          case HALVES ->
              Trend.ofHalves(
                  times(matching, halves.earlier()),
                  times(matching, halves.later()),
                  halves.nanos());
          case PARTS -> Trend.of(parts, span.recordedParts(recorded));
          case RATES -> Trend.ofRates(rate.lastHour(), rate.dayBefore(), dayNanos);
        };
    long lastAt =
        query.filter().counted() == Counted.DENIALS
            ? last(matching).at
            : matching.stream().mapToLong(Item::at).max().orElseThrow();
    return new ErrorGroup(
        members,
        times(matching),
        EpochNanos.toInstant(matching.stream().mapToLong(Item::at).min().orElseThrow()).toString(),
        EpochNanos.toInstant(lastAt).toString(),
        last(matching).call,
        trend,
        comparison == CountErrors.Comparison.RATES ? rate : null,
        switch (comparison) {
          case NONE, HALVES -> List.of();
          case PARTS, RATES -> sparkline;
        });
  }

  private static boolean isOfEveryGate(CountErrors query) {
    return query.filter().counted() == Counted.DENIALS
        && query.dimensions().equals(List.of(ErrorDimension.GATE))
        && !query.filter().members().containsKey("gate");
  }

  private static List<ErrorGroup> withEveryGate(List<ErrorGroup> groups) {
    return Arrays.stream(Gate.values())
        .map(gate ->
            groups.stream()
                .filter(it -> gate.word().equals(it.members().get("gate")))
                .findFirst()
                .orElse(ErrorGroup.empty(Map.of("gate", gate.word()))))
        .toList();
  }
}
