package gatebook.api.operator;

import gatebook.api.operator.OperatorMethod.Outcome;
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

/** How the views are, and what can be done about them. */
final class ViewMethods {
  private static final int PAGE = 100;
  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);
  private static final Set<Role> ADMINS = Set.of(Role.ADMIN);
  private static final MethodParam PROJECTION =
      MethodParam.required("projection", MethodParam.Type.VIEW, "The view.");
  private static final MethodParam POSITION =
      MethodParam.required(
          "position", MethodParam.Type.POSITION, "The event, as audit.parked shows it.");

  private final Views views;

  ViewMethods(Views views) {
    this.views = views;
  }

  List<OperatorMethod> all() {
    return List.of(projections(), replay(), cancelReplay(), parked(), retry(), discard());
  }

  /** A view that is made for the first time answers nothing, rather than a part. */
  static OperatorMethod.Answering of(View view, OperatorMethod.Answering answering) {
    return (callParams, asker) -> {
      if (!view.isWhole()) {
        view.reach(0);
      }
      return view.isWhole()
          ? answering.answer(callParams, asker)
          : new Outcome.Busy(
              "the view %s is being made, and is at position %d: ask again, audit.projections tells how far it is"
                  .formatted(view.name(), view.position()));
    };
  }

  /** How far a view had come, which every answer from it begins with. */
  static Map<String, Object> reached(View.Reached reached) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("position", reached.position());
    shown.put("upToDate", reached.upToDate());
    return shown;
  }

  private OperatorMethod projections() {
    return new OperatorMethod(
        "audit.projections",
        "How far each view has come.",
        List.of(),
        VIEWERS,
        false,
        (_, _) ->
            Outcome.answered(
                Map.of("projections", views.all().stream().map(View::standing).toList())));
  }

  private OperatorMethod replay() {
    return new OperatorMethod(
        "audit.replay",
        "Makes a view anew beside the one that answers, and puts it in its place.",
        List.of(
            PROJECTION,
            MethodParam.optional(
                "fromPosition",
                MethodParam.Type.POSITION,
                "What the view held up to here is taken over; nothing, unless told."),
            MethodParam.optional(
                "fromTime", MethodParam.Type.TIME, "What the view held before is taken over.")),
        ADMINS,
        false,
        (callParams, _) -> replay(callParams));
  }

  private Outcome replay(CallParams callParams) {
    View view = views.named(callParams.text("projection"));
    if (callParams.has("fromPosition") && callParams.has("fromTime")) {
      return new Outcome.Wrong("give fromPosition or fromTime, not both");
    }
    View.Begun begun =
        callParams
            .time("fromTime")
            .map(view::replay)
            .orElseGet(() -> view.replay(callParams.position("fromPosition")));
    return switch (begun) {
      case View.Begun.Started(var replay) -> {
        Map<String, Object> started = named(view);
        started.put("replay", replay);
        yield Outcome.answered(started);
      }
      case View.Begun.Running(var replay) ->
          new Outcome.Busy(
              "%s is being made anew already, and is at position %d of %d: wait, or cancel that"
                  .formatted(view.name(), replay.position(), replay.target()));
      case View.Begun.Beyond(var position) ->
          new Outcome.Wrong(
              "%s holds nothing beyond position %d: begin there, or before"
                  .formatted(view.name(), position));
      case View.Begun.Closed() -> new Outcome.Busy("this node is stopping: ask again later");
    };
  }

  private OperatorMethod cancelReplay() {
    return new OperatorMethod(
        "audit.cancelReplay",
        "Gives up making a view anew; the one that answers stays.",
        List.of(PROJECTION),
        ADMINS,
        false,
        (callParams, _) -> {
          View view = views.named(callParams.text("projection"));
          Map<String, Object> result = named(view);
          result.put("cancelled", view.cancelReplay());
          return Outcome.answered(result);
        });
  }

  private OperatorMethod parked() {
    return new OperatorMethod(
        "audit.parked",
        "The events that views could not take in and put aside, oldest first.",
        List.of(
            MethodParam.optional(
                "projection", MethodParam.Type.VIEW, "The view; all of them, unless told."),
            MethodParam.optional(
                "limit",
                MethodParam.Type.PAGE,
                "How many of each; %d unless told.".formatted(PAGE))),
        VIEWERS,
        false,
        (callParams, _) -> parked(callParams));
  }

  private Outcome parked(CallParams callParams) throws InterruptedException {
    int limit = callParams.page("limit", PAGE);
    List<Map<String, Object>> shown = new ArrayList<>();
    boolean more = false;
    for (View view : views.all()) {
      if (callParams.word("projection").filter(it -> !it.equals(view.name())).isEmpty()) {
        view.reach(0);
        List<ParkedEvent> parked = view.parked(limit + 1);
        more |= parked.size() > limit;
        parked.stream().limit(limit).forEach(it -> shown.add(shown(view, it)));
      }
    }
    return Outcome.answered(Map.of("parked", shown, "more", more));
  }

  private static Map<String, Object> shown(View view, ParkedEvent parkedEvent) {
    Map<String, Object> shown = named(view);
    shown.put("position", parkedEvent.position());
    if (parkedEvent.callId() != null) {
      shown.put("callId", parkedEvent.callId());
    }
    shown.put("name", parkedEvent.name());
    shown.put("at", parkedEvent.at().toString());
    shown.put(
        "error",
        parkedEvent.error() == null ? "waits for an earlier one" : words(parkedEvent.error()));
    shown.put("parkedAt", parkedEvent.parkedAt().toString());
    shown.put("attempts", parkedEvent.attempts());
    return shown;
  }

  /** What a reader of JSON complains about may quote it. */
  private static String words(String error) {
    return Scrubber.BUILT_IN.scrub(error);
  }

  private OperatorMethod retry() {
    return new OperatorMethod(
        "audit.retryParked",
        "Tries an event again that was put aside, and then what waited for it.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (callParams, _) -> retry(callParams));
  }

  private Outcome retry(CallParams callParams) {
    View view = views.named(callParams.text("projection"));
    Map<String, Object> result = corrected(view, callParams);
    switch (view.retry(callParams.position("position"))) {
      case ParkedEvent.Attempt.Done() -> result.put("outcome", "done");
      case ParkedEvent.Attempt.None() -> result.put("outcome", "none");
      case ParkedEvent.Attempt.Failed(var error) -> {
        result.put("outcome", "failed");
        result.put("error", words(error));
      }
      case ParkedEvent.Attempt.Waits(var position) -> {
        result.put("outcome", "waits");
        result.put("error", "position %d of the same call goes first".formatted(position));
      }
    }
    return Outcome.answered(result);
  }

  private OperatorMethod discard() {
    return new OperatorMethod(
        "audit.discardParked",
        "Leaves an event out of a view that it could not take in, until the view is made anew.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (callParams, _) -> {
          View view = views.named(callParams.text("projection"));
          Map<String, Object> result = corrected(view, callParams);
          result.put(
              "outcome", view.discard(callParams.position("position")) ? "discarded" : "none");
          return Outcome.answered(result);
        });
  }

  private static Map<String, Object> corrected(View view, CallParams callParams) {
    Map<String, Object> result = named(view);
    result.put("position", callParams.position("position"));
    return result;
  }

  private static Map<String, Object> named(View view) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("projection", view.name());
    return named;
  }
}
