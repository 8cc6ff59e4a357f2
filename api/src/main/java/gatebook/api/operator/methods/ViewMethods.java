package gatebook.api.operator.methods;

import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.rpc.RequestMember;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.projection.ParkedEvent;
import gatebook.query.projection.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The methods for views: {@code audit.projections}, rebuilds and parked events. */
public final class ViewMethods {
  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);
  private static final RequestMember PROJECTION =
      RequestMember.required("projection", ParamTypes.VIEW, "The view.");
  private static final RequestMember POSITION =
      RequestMember.required(
          "position", ParamTypes.POSITION, "The event, as audit.parked shows it.");

  private final Views views;

  public ViewMethods(Views views) {
    this.views = views;
  }

  public List<OperatorMethod> all() {
    return List.of(projections(), rebuild(), cancelRebuild(), parked(), retry(), discard());
  }

  /** Answers from a view only when it is complete: during its first build it would give a part. */
  static OperatorMethod.Handler whenWhole(
      Views views, String name, OperatorMethod.Handler handler) {
    View view = views.named(name);
    return (callParams, operator) -> {
      if (!view.isComplete()) {
        view.awaitHead(0);
      }
      return view.isComplete()
          ? handler.handle(callParams, operator)
          : new Outcome.Busy(
              "the view %s is being built and is at position %d: try again, audit.projections shows its progress"
                  .formatted(name, view.position()));
    };
  }

  /** The position of a view, which every result from it starts with. */
  static Map<String, Object> positionJson(View.Reached reached) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("position", reached.position());
    result.put("upToDate", reached.upToDate());
    return result;
  }

  private OperatorMethod projections() {
    return new OperatorMethod(
        "audit.projections",
        "Shows the state and the position of each view.",
        List.of(),
        VIEWERS,
        false,
        (_, _) -> Outcome.answered(Map.of("projections", views.statuses())));
  }

  private OperatorMethod rebuild() {
    return new OperatorMethod(
        "audit.replay",
        "Rebuilds a view beside the current one, which answers until it is replaced.",
        List.of(
            PROJECTION,
            RequestMember.optional(
                "fromPosition",
                ParamTypes.POSITION,
                "Keeps what the view holds up to this position; rebuilds everything by default."),
            RequestMember.optional(
                "fromTime", ParamTypes.TIME, "Keeps what the view holds from before this time.")),
        ADMINS,
        false,
        (callParams, _) -> rebuild(callParams));
  }

  private Outcome rebuild(CallParams callParams) {
    String name = callParams.text("projection");
    View view = views.named(name);
    if (callParams.has("fromPosition") && callParams.has("fromTime")) {
      return new Outcome.InvalidParams(
          "give fromPosition or fromTime, not both",
          "fromTime",
          "either fromPosition or fromTime",
          "both");
    }
    View.RebuildStart started =
        callParams
            .time("fromTime")
            .map(view::startRebuild)
            .orElseGet(() -> view.startRebuild(callParams.position("fromPosition")));
    return switch (started) {
      case View.RebuildStart.Started(var replay) -> {
        Map<String, Object> result = viewJson(callParams.text("projection"));
        result.put("replay", replay);
        yield Outcome.answered(result);
      }
      case View.RebuildStart.Running(var replay) ->
          new Outcome.Busy(
              "%s is being rebuilt and is at position %d of %d: wait, or cancel the rebuild"
                  .formatted(name, replay.position(), replay.target()));
      case View.RebuildStart.Beyond(var position) ->
          new Outcome.InvalidParams(
              "%s holds nothing beyond position %d: start there, or before"
                  .formatted(name, position),
              callParams.has("fromTime") ? "fromTime" : "fromPosition",
              "at most position %d".formatted(position),
              "a later one");
      case View.RebuildStart.Closed() -> new Outcome.Busy("this node is stopping: try again later");
    };
  }

  private OperatorMethod cancelRebuild() {
    return new OperatorMethod(
        "audit.cancelReplay",
        "Cancels the rebuild of a view; the current view stays.",
        List.of(PROJECTION),
        ADMINS,
        false,
        (callParams, _) -> {
          View view = views.named(callParams.text("projection"));
          Map<String, Object> result = viewJson(callParams.text("projection"));
          result.put("cancelled", view.cancelRebuild());
          return Outcome.answered(result);
        });
  }

  private OperatorMethod parked() {
    return new OperatorMethod(
        "audit.parked",
        "Lists the parked events, which a view could not apply, oldest first.",
        List.of(
            RequestMember.optional(
                "projection", ParamTypes.VIEW, "The view; all views by default."),
            ParamTypes.limit("events of each view")),
        VIEWERS,
        false,
        (callParams, _) -> parked(callParams));
  }

  private Outcome parked(CallParams callParams) throws InterruptedException {
    int limit = callParams.limit();
    List<Map<String, Object>> result = new ArrayList<>();
    boolean more = false;
    for (String name : Views.NAMES) {
      if (callParams.optionalText("projection").filter(it -> !it.equals(name)).isEmpty()) {
        View view = views.named(name);
        view.awaitHead(0);
        List<ParkedEvent> parked = view.parked(limit + 1);
        more |= parked.size() > limit;
        parked.stream().limit(limit).forEach(it -> result.add(parkedJson(name, it)));
      }
    }
    return Outcome.answered(Map.of("parked", result, "more", more));
  }

  private static Map<String, Object> parkedJson(String name, ParkedEvent parkedEvent) {
    Map<String, Object> result = viewJson(name);
    result.put("position", parkedEvent.position());
    if (parkedEvent.callId() != null) {
      result.put("callId", parkedEvent.callId());
    }
    if (parkedEvent.treeId() != null) {
      result.put("treeId", parkedEvent.treeId());
    }
    result.put("name", parkedEvent.name());
    result.put("at", parkedEvent.at().toString());
    result.put(
        "error",
        parkedEvent.error() == null ? "waits for an earlier one" : scrubbed(parkedEvent.error()));
    result.put("parkedAt", parkedEvent.parkedAt().toString());
    result.put("attempts", parkedEvent.attempts());
    return result;
  }

  /** A JSON parser's message may quote the event, so it is scrubbed. */
  private static String scrubbed(String error) {
    return Scrubber.BUILT_IN.scrub(error);
  }

  private OperatorMethod retry() {
    return new OperatorMethod(
        "audit.retryParked",
        "Retries a parked event, and then the events that waited for it.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (callParams, _) -> retry(callParams));
  }

  private Outcome retry(CallParams callParams) {
    View view = views.named(callParams.text("projection"));
    Map<String, Object> result = eventJson(callParams);
    switch (view.retry(callParams.position("position"))) {
      case ParkedEvent.RetryResult.Done() -> result.put("outcome", "done");
      case ParkedEvent.RetryResult.NotParked() -> result.put("outcome", "none");
      case ParkedEvent.RetryResult.Failed(var error) -> {
        result.put("outcome", "failed");
        result.put("error", scrubbed(error));
      }
      case ParkedEvent.RetryResult.Blocked(var position) -> {
        result.put("outcome", "waits");
        result.put("error", "position %d of the same call or tree comes first".formatted(position));
      }
    }
    return Outcome.answered(result);
  }

  private OperatorMethod discard() {
    return new OperatorMethod(
        "audit.discardParked",
        "Discards a parked event; the view stays without it until it is rebuilt.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (callParams, _) -> {
          View view = views.named(callParams.text("projection"));
          Map<String, Object> result = eventJson(callParams);
          result.put(
              "outcome", view.discard(callParams.position("position")) ? "discarded" : "none");
          return Outcome.answered(result);
        });
  }

  private static Map<String, Object> eventJson(CallParams callParams) {
    Map<String, Object> result = viewJson(callParams.text("projection"));
    result.put("position", callParams.position("position"));
    return result;
  }

  private static Map<String, Object> viewJson(String name) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("projection", name);
    return named;
  }
}
