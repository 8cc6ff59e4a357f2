package gatebook.api.operator.methods;

import gatebook.api.erasure.ContentErasure;
import gatebook.api.erasure.ContentSearch;
import gatebook.api.erasure.ErasureEstimate;
import gatebook.api.erasure.ErasureResult;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.keys.store.KeySelection;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The methods {@code content.*}: erase the content of a principal, find content. */
public final class ContentMethods {
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);
  private static final RequestMember SINCE =
      RequestMember.optional("since", ParamTypes.DAY, "The first day, in UTC; else all days.");
  private static final RequestMember UNTIL =
      RequestMember.optional("until", ParamTypes.DAY, "The last day, in UTC; else today.");

  private final ContentErasure contentErasure;
  private final ErasureEstimate estimate;
  private final ContentSearch contentSearch;
  private final Supplier<List<String>> mayStillHold;

  /**
   * @param mayStillHold what may still hold keys that were destroyed here, in sentences
   */
  public ContentMethods(
      ContentErasure contentErasure,
      ErasureEstimate estimate,
      ContentSearch contentSearch,
      Supplier<List<String>> mayStillHold) {
    this.contentErasure = contentErasure;
    this.estimate = estimate;
    this.contentSearch = contentSearch;
    this.mayStillHold = mayStillHold;
  }

  public List<OperatorMethod> all() {
    return List.of(forget(), find());
  }

  private OperatorMethod forget() {
    return new OperatorMethod(
        "content.forget",
        "Erases what was said in the calls of one principal: destroys the content keys of its days."
            + " What was done and decided stays.",
        List.of(
            RequestMember.required("principal", ParamTypes.TEXT, "The principal, by its name."),
            RequestMember.required("reason", ParamTypes.REASON, "The reason; recorded."),
            SINCE,
            UNTIL,
            RequestMember.optional(
                    "dryRun", ParamTypes.BOOLEAN, "Only counts what would be erased.")
                .byDefault(false)),
        ADMINS,
        false,
        this::forget);
  }

  private OperatorMethod find() {
    return new OperatorMethod(
        "content.find",
        "Finds calls whose content has a text. Opens a limited number of events: go on with after."
            + " Needs the role arguments, too.",
        List.of(
            RequestMember.required(
                    "containing",
                    ParamTypes.TEXT,
                    "The text. Only its size and a digest are recorded.")
                .secret(),
            SINCE,
            UNTIL,
            RequestMember.optional(
                    "after", ParamTypes.POSITION, "The position after which to go on.")
                .byDefault(0),
            ParamTypes.limit("calls")),
        ADMINS,
        true,
        this::find);
  }

  /** The days of a request. */
  private record Days(@Nullable LocalDate since, @Nullable LocalDate until) {}

  /** Reads the days; an outcome when they are no days, or in the wrong order. */
  private static Optional<Outcome> mistake(CallParams callParams) {
    for (String name : List.of("since", "until")) {
      try {
        day(callParams, name);
      } catch (DateTimeException _) {
        return Optional.of(
            new Outcome.InvalidParams(
                name + " must be " + ParamTypes.DAY.expected(),
                name,
                ParamTypes.DAY.expected(),
                "a day that no month has"));
      }
    }
    Days days = days(callParams);
    return days.since != null && days.until != null && days.until.isBefore(days.since)
        ? Optional.of(
            new Outcome.InvalidParams(
                "until is before since", "until", "a day from since on", "an earlier day"))
        : Optional.empty();
  }

  private static Days days(CallParams callParams) {
    return new Days(day(callParams, "since"), day(callParams, "until"));
  }

  private static @Nullable LocalDate day(CallParams callParams, String name) {
    return callParams.optionalText(name).map(LocalDate::parse).orElse(null);
  }

  private Outcome forget(CallParams callParams, Operator operator) throws InterruptedException {
    Optional<Outcome> mistake = mistake(callParams);
    if (mistake.isPresent()) {
      return mistake.get();
    }
    Days days = days(callParams);
    String principal = callParams.text("principal");
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("principal", principal);
    if (days.since != null) {
      result.put("since", days.since.toString());
    }
    result.put("until", (days.until == null ? contentErasure.today() : days.until).toString());
    if (callParams.isTrue("dryRun")) {
      return dryRun(result, principal, days);
    }
    ErasureResult erasureResult =
        contentErasure.forget(
            operator.name(), principal, days.since, days.until, callParams.text("reason"));
    switch (erasureResult) {
      case ErasureResult.NotDone(var reason) -> {
        return new Outcome.Busy("nothing was erased: " + reason);
      }
      case ErasureResult.Completed(var erasureId, var keys, var heldCalls) -> {
        putOutcome(result, "erased", erasureId, keys);
        result.put("heldCalls", heldCalls);
      }
      case ErasureResult.NothingToErase() -> {
        result.put("outcome", "nothing-to-erase");
        result.put("keys", 0);
      }
      case ErasureResult.Held(var erasureId, var holds) -> {
        putOutcome(result, "refused", erasureId, 0);
        result.put("holds", holds);
        return Outcome.answered(result);
      }
      case ErasureResult.Unfinished(var erasureId, var reason) -> {
        result.put("outcome", "unfinished");
        result.put("erasureId", erasureId);
        result.put("reason", reason + "; it is tried again within the hour, and at the next start");
      }
    }
    result.put("notReached", estimate.notReached(principal, days.since, days.until));
    result.put("mayStillHoldKeys", mayStillHold.get());
    return Outcome.answered(result);
  }

  private static void putOutcome(
      Map<String, Object> result, String outcome, UUID erasureId, long keys) {
    result.put("outcome", outcome);
    result.put("erasureId", erasureId);
    result.put("keys", keys);
  }

  private Outcome dryRun(Map<String, Object> result, String principal, Days days)
      throws InterruptedException {
    ErasureEstimate.Estimate counted = estimate.of(principal, days.since, days.until);
    if (counted.holds().isEmpty()) {
      return new Outcome.Busy(
          "no rules are in force, so the legal holds are not known: see gatebook rules check");
    }
    result.put("outcome", "counted");
    result.put("keys", counted.keys());
    result.put("days", counted.days());
    result.put("calls", counted.calls());
    result.put("more", counted.more());
    result.put("holds", counted.holds().get());
    result.put("notReached", estimate.notReached(principal, days.since, days.until));
    result.put("mayStillHoldKeys", mayStillHold.get());
    return Outcome.answered(result);
  }

  private Outcome find(CallParams callParams, Operator operator) {
    if (!operator.has(Role.ARGUMENTS)) {
      return new Outcome.NotPermitted(
          "this requires the role arguments beside admin, since it shows what content has");
    }
    Optional<Outcome> mistake = mistake(callParams);
    if (mistake.isPresent()) {
      return mistake.get();
    }
    Days days = days(callParams);
    ContentSearch.Found found =
        contentSearch.find(
            callParams.text("containing"),
            new KeySelection(null, days.since, days.until),
            callParams.position("after"),
            callParams.limit());
    List<Map<String, Object>> calls = new ArrayList<>();
    found.matches().forEach(match -> calls.add(json(match)));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("calls", calls);
    result.put("searched", found.searched());
    result.put("unopened", found.unopened());
    found.next().ifPresent(next -> result.put("next", next));
    return Outcome.answered(result);
  }

  private static Map<String, Object> json(ContentSearch.Match match) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("position", match.position());
    json.put("at", match.at().toString());
    put(json, "callId", match.callId());
    put(json, "correlationId", match.correlationId());
    put(json, "principal", match.principal());
    json.put("events", match.events());
    return json;
  }

  private static void put(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
