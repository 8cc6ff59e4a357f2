package gatebook.api.operator.whatif;

import gatebook.api.operator.redecide.CandidateComparison.Check;
import gatebook.api.operator.redecide.CandidateComparison.Comparison;
import gatebook.api.operator.whatif.WhatIfReport.Group;
import gatebook.api.operator.whatif.WhatIfReport.LeftOut;
import gatebook.api.operator.whatif.WhatIfReport.Reason;
import gatebook.api.operator.whatif.WhatIfReport.SelfCheck;
import gatebook.command.redecide.CallChange;
import gatebook.command.redecide.Resolution;
import gatebook.command.redecide.Resolution.Effect;
import gatebook.events.CallReceived;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import gatebook.events.call.TextPrefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tally of compared calls, in groups of calls that change alike. Bounded, however many there are.
 */
final class WhatIfTally {
  private static final int EXAMPLES_MAX = 5;
  private static final int RULES_MAX = 100;
  private static final int NAME_CHARS_MAX = 256;

  /** So many times the groups of a report are counted, to find the most frequent. */
  private static final int COUNTED_FACTOR = 10;

  private final int groupsMax;
  private final Map<CallChange, Long> changes = new EnumMap<>(CallChange.class);
  private final Map<CallChange, Long> uncounted = new EnumMap<>(CallChange.class);
  private final Map<GroupKey, Counted> groups = new HashMap<>();
  private final Map<String, Counted> reasons = new TreeMap<>();
  private final Map<String, String> messages = new HashMap<>();
  private final Map<Class<?>, Long> checks = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final TreeSet<String> rules = new TreeSet<>();
  private long decided;
  private long replayed;

  private record GroupKey(
      CallChange change,
      String before,
      String after,
      @Nullable Gate gate,
      @Nullable String rule,
      @Nullable String target,
      String principal,
      @Nullable Integer code) {}

  /** A count with the first and the last one, and the first few as examples. */
  private static final class Counted {
    private final List<String> examples = new ArrayList<>(1);
    private long count;
    private String first = "";
    private String last = "";

    void add(UUID callId, String at) {
      count++;
      first = first.isEmpty() || at.compareTo(first) < 0 ? at : first;
      last = at.compareTo(last) > 0 ? at : last;
      if (examples.size() < EXAMPLES_MAX) {
        examples.add(callId.toString());
      }
    }
  }

  /** A tally with at most so many groups in its report. */
  WhatIfTally(int groupsMax) {
    this.groupsMax = groupsMax;
  }

  long decided() {
    return decided;
  }

  long replayed() {
    return replayed;
  }

  void add(ComparedCall call) {
    decided++;
    CallReceived received = call.received();
    if (received != null && rules.size() < RULES_MAX) {
      rules.add(received.rulesHash());
    }
    switch (call.comparison()) {
      case Comparison.NotReplayable(var reason, var message, var check) -> {
        count(check, call);
        messages.putIfAbsent(reason, message);
        reasons.computeIfAbsent(reason, _ -> new Counted()).add(call.callId(), call.at());
      }
      case Comparison.Compared compared -> {
        replayed++;
        count(compared.check(), call);
        changes.merge(compared.change(), 1L, Long::sum);
        if (compared.change() != CallChange.UNCHANGED) {
          group(call, Objects.requireNonNull(received), compared);
        }
      }
    }
  }

  private void count(Check check, ComparedCall call) {
    checks.merge(check.getClass(), 1L, Long::sum);
    if (check instanceof Check.Wrong && faults.size() < EXAMPLES_MAX) {
      faults.add(call.callId().toString());
    }
  }

  private void group(ComparedCall call, CallReceived received, Comparison.Compared compared) {
    Resolution deciding = deciding(compared);
    Optional<Ruling> ruling =
        deciding.rulings().isEmpty() ? Optional.empty() : Optional.of(deciding.rulings().getLast());
    String target = received.target() == null ? received.method() : received.target();
    GroupKey key =
        new GroupKey(
            compared.change(),
            compared.before().summary(),
            compared.after().summary(),
            ruling.map(Ruling::gate).orElse(null),
            ruling.map(WhatIfTally::rule).map(WhatIfTally::cut).orElse(null),
            cut(target),
            cut(received.principal().name()),
            compared.told() == null ? null : compared.told().code());
    Counted counted = groups.get(key);
    if (counted == null && groups.size() >= groupsMax * COUNTED_FACTOR) {
      uncounted.merge(compared.change(), 1L, Long::sum);
      return;
    }
    groups.computeIfAbsent(key, _ -> new Counted()).add(call.callId(), call.at());
  }

  /** The side that refuses or asks. */
  private static Resolution deciding(Comparison.Compared compared) {
    return switch (compared.after().effect()) {
      case REFUSED, NOT_KNOWN, OPEN -> compared.after();
      case ALLOWED, ALLOWED_BY_PERSON, ANSWERED_HERE ->
          compared.before().effect() == Effect.ALLOWED ? compared.after() : compared.before();
    };
  }

  private static String rule(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Visibility(_, var exposure, var pattern, _) ->
          pattern == null ? exposure(exposure) : exposure(exposure) + " " + pattern;
      case Ruling.Governance(_, _, var rule, var pattern, _) ->
          rule == null ? "default" : "rule %d: %s".formatted(rule, pattern);
      case Ruling.Policy(_, _, var reasons, var errors, _, _, _) ->
          errors.isEmpty()
              ? reasons.isEmpty() ? "no policy permits it" : String.join(", ", reasons)
              : "%d policies failed".formatted(errors.size());
      case Ruling.Approval(_, var workflow, _, _, _) -> workflow;
    };
  }

  private static String exposure(@Nullable Exposure exposure) {
    return exposure == null ? "no source" : exposure.word();
  }

  private static String cut(String text) {
    return TextPrefix.of(text, NAME_CHARS_MAX);
  }

  List<String> rulesThen() {
    return List.copyOf(rules);
  }

  /** All changes, also those that no call has. */
  Map<String, Long> changes() {
    Map<String, Long> all = new LinkedHashMap<>();
    for (CallChange change : CallChange.values()) {
      all.put(change.word(), changes.getOrDefault(change, 0L));
    }
    return all;
  }

  List<Reason> notReplayable() {
    return reasons.entrySet().stream()
        .map(it ->
            new Reason(
                it.getKey(),
                messages.getOrDefault(it.getKey(), ""),
                it.getValue().count,
                it.getValue().examples))
        .sorted(Comparator.comparingLong(Reason::count).reversed().thenComparing(Reason::reason))
        .toList();
  }

  SelfCheck selfCheck() {
    return new SelfCheck(
        checks.getOrDefault(Check.Agrees.class, 0L),
        checks.getOrDefault(Check.OtherLogic.class, 0L),
        checks.getOrDefault(Check.Wrong.class, 0L),
        checks.getOrDefault(Check.NotChecked.class, 0L),
        faults);
  }

  /** The most frequent groups. */
  List<Group> groups() {
    return sorted().limit(groupsMax).map(it -> group(it.getKey(), it.getValue())).toList();
  }

  private Stream<Map.Entry<GroupKey, Counted>> sorted() {
    return groups.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<GroupKey, Counted>>comparingLong(it -> it.getValue().count)
                .reversed()
                .thenComparing(it -> it.getValue().first)
                .thenComparing(it -> it.getKey().toString()));
  }

  private static Group group(GroupKey key, Counted counted) {
    return new Group(
        key.change().word(),
        key.before(),
        key.after(),
        key.gate(),
        key.rule(),
        key.target(),
        key.principal(),
        key.code(),
        counted.count,
        counted.first,
        counted.last,
        counted.examples);
  }

  /** What the groups of the report do not show; null when they show everything. */
  @Nullable LeftOut leftOut() {
    Map<CallChange, Long> calls = new EnumMap<>(uncounted);
    sorted()
        .skip(groupsMax)
        .forEach(it -> calls.merge(it.getKey().change(), it.getValue().count, Long::sum));
    Map<String, Long> named = new LinkedHashMap<>();
    calls.forEach((change, count) -> named.put(change.word(), count));
    return named.isEmpty() ? null : new LeftOut(named);
  }
}
