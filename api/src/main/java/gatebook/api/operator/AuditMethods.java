package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.OperatorMethod.Outcome;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Journal;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.CallStatus;
import gatebook.query.calls.CallView;
import gatebook.query.calls.LookupResult;
import gatebook.query.verification.ExternalCheckpoint;
import gatebook.query.verification.Verification;
import gatebook.query.verification.VerificationLimits;
import gatebook.query.verification.VerificationReport;
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
  static final MethodParam AT_LEAST =
      MethodParam.optional(
          "atLeast",
          MethodParam.Type.POSITION,
          "The position the answer must know of; it waits 2 s at most.");

  private static final int PAGE = 100;
  private static final JsonMapper JSON = new JsonMapper();

  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  private final Journal journal;
  private final CallQueries callQueries;
  private final Semaphore verifying = new Semaphore(1);

  AuditMethods(Journal journal, CallQueries callQueries) {
    this.journal = journal;
    this.callQueries = callQueries;
  }

  List<OperatorMethod> all() {
    return List.of(lookup(), list(), verify());
  }

  private OperatorMethod lookup() {
    return new OperatorMethod(
        "audit.lookup",
        "What happened to the calls that an id stands for.",
        List.of(
            MethodParam.required(
                "id",
                MethodParam.Type.TEXT,
                "Any id given or handed out: of a call, its correlation, trace, task or"
                    + " approval."),
            MethodParam.optional(
                "asOf",
                MethodParam.Type.TIME,
                "Shows what was recorded by then; now, unless told."),
            AT_LEAST),
        VIEWERS,
        true,
        this::lookup);
  }

  private OperatorMethod verify() {
    return new OperatorMethod(
        "audit.verify",
        "Whether the journal was edited.",
        List.of(
            MethodParam.optional(
                "against",
                MethodParam.Type.NOTES,
                "Checkpoints that were kept elsewhere, each as its whole text.")),
        VIEWERS,
        false,
        (callParams, _) -> verify(callParams));
  }

  private OperatorMethod list() {
    return new OperatorMethod(
        "audit.calls",
        "The calls that have something in common, newest first.",
        List.of(
            MethodParam.optional("status", MethodParam.Type.STATUS, "Where they stand."),
            MethodParam.optional("gate", MethodParam.Type.GATE, "The gate that denied them."),
            MethodParam.optional("dialect", MethodParam.Type.DIALECT, "What their callers speak."),
            MethodParam.optional("method", MethodParam.Type.TEXT, "The method that was called."),
            MethodParam.optional("target", MethodParam.Type.TEXT, "What they act on."),
            MethodParam.optional("principal", MethodParam.Type.TEXT, "Who called."),
            MethodParam.optional("code", MethodParam.Type.CODE, "The code that was told."),
            MethodParam.optional(
                "fault", MethodParam.Type.TEXT, "The kind of fault that ended them."),
            MethodParam.optional(
                "correlationId", MethodParam.Type.TEXT, "Their correlation id, exactly."),
            MethodParam.optional("since", MethodParam.Type.TIME, "Received at or after it."),
            MethodParam.optional("until", MethodParam.Type.TIME, "Received before it."),
            MethodParam.optional(
                "limit", MethodParam.Type.PAGE, "How many; %d unless told.".formatted(PAGE)),
            MethodParam.optional("cursor", MethodParam.Type.CURSOR, "Where the page before ended."),
            AT_LEAST),
        VIEWERS,
        true,
        ViewMethods.of(callQueries.view(), (callParams, _) -> list(callParams)));
  }

  private Outcome list(CallParams callParams) throws InterruptedException {
    CallQueries.Page page =
        callQueries.list(
            filter(callParams),
            callParams.word("cursor").stream().mapToLong(Long::parseLong).findFirst(),
            callParams.page("limit", PAGE),
            callParams.position("atLeast"));
    Map<String, Object> shown = ViewMethods.reached(page.reached());
    shown.put("calls", page.calls().stream().map(AuditMethods::row).toList());
    page.next().ifPresent(next -> shown.put("cursor", Long.toString(next)));
    return Outcome.answered(shown);
  }

  private static CallFilter filter(CallParams callParams) {
    return new CallFilter(
        callParams.word("status").map(word -> word(CallStatus.values(), CallStatus::word, word)),
        callParams.word("gate").map(word -> word(Gate.values(), Gate::word, word)),
        callParams.word("dialect").map(word -> word(Dialect.values(), Dialect::word, word)),
        callParams.word("method").map(Scrubber.NAMES::scrub),
        callParams.word("target").map(Scrubber.NAMES::scrub), // as they are recorded
        callParams.word("principal"),
        callParams.whole("code"),
        callParams.word("fault"),
        callParams.word("correlationId"),
        callParams.time("since"),
        callParams.time("until"));
  }

  /** What one of a few words stands for, of which the param takes no other. */
  static <W> W word(W[] all, Function<W, String> words, String word) {
    return Arrays.stream(all)
        .filter(candidate -> words.apply(candidate).equals(word))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> row(CallView callView) {
    Map<String, Object> row = JSON.convertValue(callView, new TypeReference<>() {});
    row.remove("events");
    return row;
  }

  private Outcome lookup(CallParams callParams, Operator asker) throws InterruptedException {
    return switch (callQueries.lookup(
        callParams.text("id"), callParams.position("atLeast"), callParams.time("asOf"))) {
      case LookupResult.Found(var found, var more) ->
          new Outcome.Answered(
              shown(limited(found, asker), more, null),
              found.size() == 1 ? Optional.of(found.getFirst().callId()) : Optional.empty());
      case LookupResult.NeverSeen(var position) ->
          Outcome.answered(
              shown(
                  List.of(),
                  false,
                  new NotFound(
                      "never-seen",
                      "no call up to position %d is known by this id".formatted(position))));
      case LookupResult.CameLater() ->
          Outcome.answered(
              shown(
                  List.of(),
                  false,
                  new NotFound("came-later", "what is known by this id came later")));
      case LookupResult.NotProjectedYet(var position, var awaited) ->
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
      List<CallView> calls, boolean more, @Nullable NotFound notFound) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("calls", calls);
    shown.put("more", more);
    if (notFound != null) {
      shown.put("notFound", notFound);
    }
    return shown;
  }

  /** The trees were made for this answer, and nobody else has them. */
  private static List<CallView> limited(List<CallView> calls, Operator asker) {
    calls.stream()
        .flatMap(callView -> callView.events().stream())
        .forEach(step -> VisibleEvent.limit(step.data(), asker));
    return calls;
  }

  private Outcome verify(CallParams callParams) {
    if (!verifying.tryAcquire()) {
      return new Outcome.Busy("the journal is being verified already: ask again when that is done");
    }
    try (var journalSnapshot = journal.snapshot()) {
      VerificationReport verificationReport =
          new Verification(List.of(journal.verifier()), VerificationLimits.DEFAULT)
              .verify(journalSnapshot, keptElsewhere(callParams.texts("against")));
      return Outcome.answered(VerificationJson.json(verificationReport, journal.verifier()));
    } finally {
      verifying.release();
    }
  }

  private static List<ExternalCheckpoint> keptElsewhere(List<String> notes) {
    List<ExternalCheckpoint> kept = new ArrayList<>();
    for (String note : notes) {
      kept.add(new ExternalCheckpoint("against[" + kept.size() + "]", note.getBytes(UTF_8)));
    }
    return kept;
  }
}
