package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.Method.Outcome;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Journal;
import gatebook.query.calls.Call;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.Calls;
import gatebook.query.calls.Lookup;
import gatebook.query.calls.Status;
import gatebook.query.verification.KeptElsewhere;
import gatebook.query.verification.Limits;
import gatebook.query.verification.Report;
import gatebook.query.verification.Verification;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened, and whether the record of it can be believed. */
final class AuditMethods {
  /** What every question to a view can add. */
  static final Param AT_LEAST =
      Param.optional(
          "atLeast",
          Param.Type.POSITION,
          "The position the answer must know of; it waits 2 s at most.");

  private static final int PAGE = 100;
  private static final JsonMapper JSON = new JsonMapper();

  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  private final Journal journal;
  private final Calls calls;
  private final Semaphore verifying = new Semaphore(1);

  AuditMethods(Journal journal, Calls calls) {
    this.journal = journal;
    this.calls = calls;
  }

  List<Method> all() {
    return List.of(lookup(), list(), verify());
  }

  private Method lookup() {
    return new Method(
        "audit.lookup",
        "What happened to the calls that an id stands for.",
        List.of(
            Param.required(
                "id",
                Param.Type.TEXT,
                "Any id given or handed out: of a call, its correlation, trace, task or"
                    + " approval."),
            Param.optional(
                "asOf", Param.Type.TIME, "Shows what was recorded by then; now, unless told."),
            AT_LEAST),
        VIEWERS,
        true,
        this::lookup);
  }

  private Method verify() {
    return new Method(
        "audit.verify",
        "Whether the journal was edited.",
        List.of(
            Param.optional(
                "against",
                Param.Type.NOTES,
                "Checkpoints that were kept elsewhere, each as its whole text.")),
        VIEWERS,
        false,
        (params, _) -> verify(params));
  }

  private Method list() {
    return new Method(
        "audit.calls",
        "The calls that have something in common, newest first.",
        List.of(
            Param.optional("status", Param.Type.STATUS, "Where they stand."),
            Param.optional("gate", Param.Type.GATE, "The gate that denied them."),
            Param.optional("dialect", Param.Type.DIALECT, "What their callers speak."),
            Param.optional("method", Param.Type.TEXT, "The method that was called."),
            Param.optional("target", Param.Type.TEXT, "What they act on."),
            Param.optional("principal", Param.Type.TEXT, "Who called."),
            Param.optional("code", Param.Type.CODE, "The code that was told."),
            Param.optional("fault", Param.Type.TEXT, "The kind of fault that ended them."),
            Param.optional("correlationId", Param.Type.TEXT, "Their correlation id, exactly."),
            Param.optional("since", Param.Type.TIME, "Received at or after it."),
            Param.optional("until", Param.Type.TIME, "Received before it."),
            Param.optional("limit", Param.Type.PAGE, "How many; %d unless told.".formatted(PAGE)),
            Param.optional("cursor", Param.Type.CURSOR, "Where the page before ended."),
            AT_LEAST),
        VIEWERS,
        true,
        ViewMethods.of(calls.view(), (params, _) -> list(params)));
  }

  private Outcome list(Params params) throws InterruptedException {
    Calls.Page page =
        calls.list(
            filter(params),
            params.word("cursor").stream().mapToLong(Long::parseLong).findFirst(),
            params.page("limit", PAGE),
            params.position("atLeast"));
    Map<String, Object> shown = ViewMethods.reached(page.reached());
    shown.put("calls", page.calls().stream().map(AuditMethods::row).toList());
    page.next().ifPresent(next -> shown.put("cursor", Long.toString(next)));
    return Outcome.answered(shown);
  }

  private static CallFilter filter(Params params) {
    return new CallFilter(
        params.word("status").map(word -> word(Status.values(), Status::word, word)),
        params.word("gate").map(word -> word(Gate.values(), Gate::word, word)),
        params.word("dialect").map(word -> word(Dialect.values(), Dialect::word, word)),
        params.word("method").map(Scrubber.NAMES::scrub),
        params.word("target").map(Scrubber.NAMES::scrub), // as they are recorded
        params.word("principal"),
        params.whole("code"),
        params.word("fault"),
        params.word("correlationId"),
        params.time("since"),
        params.time("until"));
  }

  /** What one of a few words stands for, of which the param takes no other. */
  static <W> W word(W[] all, Function<W, String> words, String word) {
    return Arrays.stream(all)
        .filter(candidate -> words.apply(candidate).equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> row(Call call) {
    Map<String, Object> row = JSON.convertValue(call, new TypeReference<>() {});
    row.remove("events");
    return row;
  }

  private Outcome lookup(Params params, Operator asker) throws InterruptedException {
    return switch (calls.lookup(
        params.text("id"), params.position("atLeast"), params.time("asOf"))) {
      case Lookup.Found(var found, var more) ->
          new Outcome.Answered(
              shown(limited(found, asker), more, null),
              found.size() == 1 ? Optional.of(found.getFirst().callId()) : Optional.empty());
      case Lookup.NeverSeen(var position) ->
          Outcome.answered(
              shown(
                  List.of(),
                  false,
                  new NotFound(
                      "never-seen",
                      "no call up to position %d is known by this id".formatted(position))));
      case Lookup.CameLater() ->
          Outcome.answered(
              shown(
                  List.of(),
                  false,
                  new NotFound("came-later", "what is known by this id came later")));
      case Lookup.NotProjectedYet(var position, var awaited) ->
          Outcome.answered(
              shown(
                  List.of(),
                  false,
                  new NotFound(
                      "not-projected-yet",
                      "the view has come to position %d of %d: ask again"
                          .formatted(position, awaited))));
    };
  }

  private record NotFound(String reason, String message) {}

  private static Map<String, Object> shown(
      List<Call> calls, boolean more, @Nullable NotFound notFound) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("calls", calls);
    shown.put("more", more);
    if (notFound != null) {
      shown.put("notFound", notFound);
    }
    return shown;
  }

  /** The trees were made for this answer, and nobody else has them. */
  private static List<Call> limited(List<Call> calls, Operator asker) {
    calls.stream()
        .flatMap(call -> call.events().stream())
        .forEach(step -> Shown.limit(step.data(), asker));
    return calls;
  }

  private Outcome verify(Params params) {
    if (!verifying.tryAcquire()) {
      return new Outcome.Busy("the journal is being verified already: ask again when that is done");
    }
    try (var snapshot = journal.snapshot()) {
      Report report =
          new Verification(List.of(journal.verifier()), Limits.DEFAULT)
              .verify(snapshot, keptElsewhere(params.texts("against")));
      return Outcome.answered(Verifications.json(report, journal.verifier()));
    } finally {
      verifying.release();
    }
  }

  private static List<KeptElsewhere> keptElsewhere(List<String> notes) {
    List<KeptElsewhere> kept = new ArrayList<>();
    for (String note : notes) {
      kept.add(new KeptElsewhere("against[" + kept.size() + "]", note.getBytes(UTF_8)));
    }
    return kept;
  }
}
