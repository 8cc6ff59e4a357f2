package gatebook.api.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.api.operator.Method.Outcome;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.journal.Journal;
import gatebook.query.approvals.Approvals;
import gatebook.query.calls.Call;
import gatebook.query.calls.Calls;
import gatebook.query.calls.Lookup;
import gatebook.query.verification.KeptElsewhere;
import gatebook.query.verification.Limits;
import gatebook.query.verification.Report;
import gatebook.query.verification.Verification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What happened, and whether the record of it can be believed. */
final class AuditMethods {
  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  private final Journal journal;
  private final Calls calls;
  private final Approvals approvals;
  private final Semaphore verifying = new Semaphore(1);

  AuditMethods(Journal journal, Calls calls, Approvals approvals) {
    this.journal = journal;
    this.calls = calls;
    this.approvals = approvals;
  }

  List<Method> all() {
    return List.of(lookup(), verify(), projections());
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
                "atLeast",
                Param.Type.POSITION,
                "The position the answer must know of; it waits 2 s at most.")),
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

  private Method projections() {
    return new Method(
        "audit.projections",
        "How far each view has come.",
        List.of(),
        VIEWERS,
        false,
        (_, _) ->
            Outcome.answered(
                Map.of("projections", List.of(calls.standing(), approvals.standing()))));
  }

  private Outcome lookup(Params params, Operator asker) throws InterruptedException {
    return switch (calls.lookup(params.text("id"), params.position("atLeast"))) {
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
