package gatebook.api.operator;

import gatebook.api.operator.Method.Outcome;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.query.Views;
import gatebook.query.projection.Parked;
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
  private static final Param PROJECTION =
      Param.required("projection", Param.Type.VIEW, "The view.");
  private static final Param POSITION =
      Param.required("position", Param.Type.POSITION, "The event, as audit.parked shows it.");

  private final Views views;

  ViewMethods(Views views) {
    this.views = views;
  }

  List<Method> all() {
    return List.of(projections(), replay(), cancelReplay(), parked(), retry(), discard());
  }

  /** A view that is made for the first time answers nothing, rather than a part. */
  static Method.Answering of(View view, Method.Answering answering) {
    return (params, asker) -> {
      if (!view.isWhole()) {
        view.reach(0);
      }
      return view.isWhole()
          ? answering.answer(params, asker)
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

  private Method projections() {
    return new Method(
        "audit.projections",
        "How far each view has come.",
        List.of(),
        VIEWERS,
        false,
        (_, _) ->
            Outcome.answered(
                Map.of("projections", views.all().stream().map(View::standing).toList())));
  }

  private Method replay() {
    return new Method(
        "audit.replay",
        "Makes a view anew beside the one that answers, and puts it in its place.",
        List.of(
            PROJECTION,
            Param.optional(
                "fromPosition",
                Param.Type.POSITION,
                "What the view held up to here is taken over; nothing, unless told."),
            Param.optional(
                "fromTime", Param.Type.TIME, "What the view held before is taken over.")),
        ADMINS,
        false,
        (params, _) -> replay(params));
  }

  private Outcome replay(Params params) {
    View view = views.named(params.text("projection"));
    if (params.has("fromPosition") && params.has("fromTime")) {
      return new Outcome.Wrong("give fromPosition or fromTime, not both");
    }
    View.Begun begun =
        params
            .time("fromTime")
            .map(view::replay)
            .orElseGet(() -> view.replay(params.position("fromPosition")));
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

  private Method cancelReplay() {
    return new Method(
        "audit.cancelReplay",
        "Gives up making a view anew; the one that answers stays.",
        List.of(PROJECTION),
        ADMINS,
        false,
        (params, _) -> {
          View view = views.named(params.text("projection"));
          Map<String, Object> result = named(view);
          result.put("cancelled", view.cancelReplay());
          return Outcome.answered(result);
        });
  }

  private Method parked() {
    return new Method(
        "audit.parked",
        "The events that views could not take in and put aside, oldest first.",
        List.of(
            Param.optional("projection", Param.Type.VIEW, "The view; all of them, unless told."),
            Param.optional(
                "limit", Param.Type.PAGE, "How many of each; %d unless told.".formatted(PAGE))),
        VIEWERS,
        false,
        (params, _) -> parked(params));
  }

  private Outcome parked(Params params) throws InterruptedException {
    int limit = params.page("limit", PAGE);
    List<Map<String, Object>> shown = new ArrayList<>();
    boolean more = false;
    for (View view : views.all()) {
      if (params.word("projection").filter(it -> !it.equals(view.name())).isEmpty()) {
        view.reach(0);
        List<Parked> parked = view.parked(limit + 1);
        more |= parked.size() > limit;
        parked.stream().limit(limit).forEach(it -> shown.add(shown(view, it)));
      }
    }
    return Outcome.answered(Map.of("parked", shown, "more", more));
  }

  private static Map<String, Object> shown(View view, Parked parked) {
    Map<String, Object> shown = named(view);
    shown.put("position", parked.position());
    if (parked.callId() != null) {
      shown.put("callId", parked.callId());
    }
    shown.put("name", parked.name());
    shown.put("at", parked.at().toString());
    shown.put("error", parked.error() == null ? "waits for an earlier one" : words(parked.error()));
    shown.put("parkedAt", parked.parkedAt().toString());
    shown.put("attempts", parked.attempts());
    return shown;
  }

  /** What a reader of JSON complains about may quote it. */
  private static String words(String error) {
    return Scrubber.BUILT_IN.scrub(error);
  }

  private Method retry() {
    return new Method(
        "audit.retryParked",
        "Tries an event again that was put aside, and then what waited for it.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (params, _) -> retry(params));
  }

  private Outcome retry(Params params) {
    View view = views.named(params.text("projection"));
    Map<String, Object> result = corrected(view, params);
    switch (view.retry(params.position("position"))) {
      case Parked.Attempt.Done() -> result.put("outcome", "done");
      case Parked.Attempt.None() -> result.put("outcome", "none");
      case Parked.Attempt.Failed(var error) -> {
        result.put("outcome", "failed");
        result.put("error", words(error));
      }
      case Parked.Attempt.Waits(var position) -> {
        result.put("outcome", "waits");
        result.put("error", "position %d of the same call goes first".formatted(position));
      }
    }
    return Outcome.answered(result);
  }

  private Method discard() {
    return new Method(
        "audit.discardParked",
        "Leaves an event out of a view that it could not take in, until the view is made anew.",
        List.of(PROJECTION, POSITION),
        ADMINS,
        false,
        (params, _) -> {
          View view = views.named(params.text("projection"));
          Map<String, Object> result = corrected(view, params);
          result.put("outcome", view.discard(params.position("position")) ? "discarded" : "none");
          return Outcome.answered(result);
        });
  }

  private static Map<String, Object> corrected(View view, Params params) {
    Map<String, Object> result = named(view);
    result.put("position", params.position("position"));
    return result;
  }

  private static Map<String, Object> named(View view) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("projection", view.name());
    return named;
  }
}
