package gatebook.api.operator.methods;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.operator.methods.NodeStatus.VerificationResult;
import gatebook.api.operator.rpc.CallParams;
import gatebook.api.operator.rpc.HiddenArguments;
import gatebook.api.operator.rpc.Operator;
import gatebook.api.operator.rpc.OperatorMethod;
import gatebook.api.operator.rpc.OperatorMethod.Outcome;
import gatebook.api.operator.rpc.ParamTypes;
import gatebook.api.operator.rpc.VisibleEvent;
import gatebook.api.rpc.DeclaredParams;
import gatebook.api.rpc.RequestMember;
import gatebook.api.witness.LogWitnesses;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.KnownOperator.Role;
import gatebook.events.ApprovalRequested;
import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.Views;
import gatebook.query.call.CallStatus;
import gatebook.query.call.CallView;
import gatebook.query.calls.CallFilter;
import gatebook.query.calls.CallQueries;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.FindOutage;
import gatebook.query.calls.ListCalls;
import gatebook.query.calls.LookupResult;
import gatebook.query.calls.LookupResult.Found;
import gatebook.query.projection.PlatformThreads;
import gatebook.query.trees.FindTrees;
import gatebook.query.trees.TreeQueries.FoundTrees;
import gatebook.query.verification.ExternalCheckpoint;
import gatebook.query.verification.KeyCheck;
import gatebook.query.verification.Verification;
import gatebook.query.verification.VerificationLimits;
import gatebook.query.verification.VerificationReport;
import gatebook.query.verification.VerificationScope;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Stream;

/** The methods {@code audit.lookup}, {@code audit.calls} and {@code audit.verify}. */
public final class AuditMethods {
  /** A param of every method that reads a view. */
  static final RequestMember AT_LEAST =
      RequestMember.optional(
          "atLeast",
          ParamTypes.POSITION,
          "The position that the view must have reached; the method waits for it at most 2 s.");

  /** The params of {@code audit.lookup}. */
  public static final DeclaredParams LOOKUP =
      DeclaredParams.of(
          RequestMember.required(
              "id",
              ParamTypes.TEXT,
              "Any id of the call: its own, or that of its correlation, trace, task or"
                  + " approval; or the id of a tree."),
          RequestMember.optional(
              "asOf", ParamTypes.TIME, "Shows what was recorded up to this time; now by default."),
          AT_LEAST);

  /** The params of {@code audit.calls}. */
  public static final DeclaredParams CALLS =
      DeclaredParams.of(
          RequestMember.optional("status", ParamTypes.STATUS, "The status of the calls."),
          RequestMember.optional("gate", ParamTypes.GATE, "The gate that denied the calls."),
          RequestMember.optional("dialect", ParamTypes.DIALECT, "The dialect of the callers."),
          RequestMember.optional("method", ParamTypes.TEXT, "The method that the caller called."),
          RequestMember.optional("target", ParamTypes.TEXT, "The target of the calls, as a tool."),
          RequestMember.optional("principal", ParamTypes.TEXT, "The principal that called."),
          RequestMember.optional("code", ParamTypes.CODE, "The code of the error response."),
          RequestMember.optional(
              "fault", ParamTypes.TEXT, "The kind of fault that ended the calls."),
          RequestMember.optional("correlationId", ParamTypes.TEXT, "The exact correlation id."),
          RequestMember.optional("since", ParamTypes.TIME, "Received at or after this time."),
          RequestMember.optional("until", ParamTypes.TIME, "Received before this time."),
          ParamTypes.limit("calls"),
          ParamTypes.CURSOR_PARAM,
          AT_LEAST);

  /** The params of {@code audit.verify}. */
  public static final DeclaredParams VERIFY =
      DeclaredParams.of(
          RequestMember.optional(
              "against",
              ParamTypes.NOTES,
              "Checkpoints kept outside the journal, each as its whole text."),
          RequestMember.optional(
                  "all",
                  ParamTypes.BOOLEAN,
                  "Whether everything is read, also what was verified and stamped before.")
              .byDefault(false));

  private static final JsonMapper JSON = new JsonMapper();

  private static final Set<Role> VIEWERS = Set.of(Role.VIEW);

  /** The other processors are left to callers. */
  private static final int VERIFIER_THREADS =
      Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  private final Journal journal;
  private final EventVocabulary eventVocabulary;
  private final Views views;
  private final HiddenArguments hiddenArguments;
  private final LogWitnesses logWitnesses;
  private final Clock clock;
  private final Semaphore verifying = new Semaphore(1);
  private volatile Optional<VerificationResult> lastVerification = Optional.empty();

  /** A snapshot is read on the thread that verifies it. */
  private final PlatformThreads verifierThreads = new PlatformThreads("journal-verifier", 1);

  public AuditMethods(
      Journal journal,
      EventVocabulary eventVocabulary,
      Views views,
      Clock clock,
      HiddenArguments hiddenArguments,
      LogWitnesses logWitnesses) {
    this.journal = journal;
    this.eventVocabulary = eventVocabulary;
    this.hiddenArguments = hiddenArguments;
    this.logWitnesses = logWitnesses;
    this.views = views;
    this.clock = clock;
  }

  /** The result of the last {@code audit.verify}. */
  public Optional<VerificationResult> lastVerification() {
    return lastVerification;
  }

  public List<OperatorMethod> all() {
    return List.of(lookup(), list(), verify());
  }

  private OperatorMethod lookup() {
    return new OperatorMethod(
        "audit.lookup",
        "Shows what happened to the calls that have an id, and the trees of tasks that have it.",
        LOOKUP,
        VIEWERS,
        true,
        this::lookup);
  }

  private OperatorMethod verify() {
    return new OperatorMethod(
        "audit.verify",
        "Checks whether the journal was edited.",
        VERIFY,
        VIEWERS,
        false,
        this::verify);
  }

  private OperatorMethod list() {
    return new OperatorMethod(
        "audit.calls",
        "Lists the calls that match all given filters, newest first.",
        CALLS,
        VIEWERS,
        true,
        ViewMethods.whenWhole(views, Views.CALLS, (callParams, _) -> list(callParams)));
  }

  private Outcome list(CallParams callParams) throws InterruptedException {
    CallQueries.Page page =
        views
            .queries()
            .send(
                new ListCalls(
                    filter(callParams),
                    callParams.cursor("cursor"),
                    callParams.limit(),
                    callParams.position("atLeast")),
                CallQueries.Page.class);
    Map<String, Object> result = ViewMethods.positionJson(page.reached());
    result.put("calls", page.calls().stream().map(AuditMethods::row).toList());
    DroppedPart.add(result, views, callParams.time("since"));
    page.next().ifPresent(next -> result.put("cursor", Long.toString(next)));
    return Outcome.answered(result);
  }

  private static CallFilter filter(CallParams callParams) {
    return new CallFilter(
        callParams
            .optionalText("status")
            .map(word -> byWord(CallStatus.values(), CallStatus::word, word)),
        callParams.optionalText("gate").map(word -> byWord(Gate.values(), Gate::word, word)),
        callParams
            .optionalText("dialect")
            .map(word -> byWord(Dialect.values(), Dialect::word, word)),
        callParams.optionalText("method").map(Scrubber.NAMES::scrub),
        callParams.optionalText("target").map(Scrubber.NAMES::scrub), // as it is recorded
        callParams.optionalText("principal"),
        callParams.integer("code"),
        callParams.optionalText("fault"),
        callParams.optionalText("correlationId"),
        callParams.time("since"),
        callParams.time("until"));
  }

  /** The value with this word; the param's type accepts no other words. */
  static <W> W byWord(W[] all, Function<W, String> words, String word) {
    return Arrays.stream(all)
        .filter(candidate -> words.apply(candidate).equals(word))
        .findFirst()
        .orElseThrow();
  }

  /** A call without its events. */
  static Map<String, Object> row(CallView callView) {
    Map<String, Object> row = JSON.convertValue(callView.withoutEvents(), new TypeReference<>() {});
    row.remove("events");
    return row;
  }

  private Outcome lookup(CallParams callParams, Operator operator) throws InterruptedException {
    String id = callParams.text("id");
    Optional<Instant> asOf = callParams.time("asOf");
    LookupResult found =
        views
            .queries()
            .send(new FindCalls(id, callParams.position("atLeast"), asOf), LookupResult.class);
    List<CallView> calls = found instanceof Found(var some, _) ? some : List.of();
    List<UUID> callIds = calls.stream().map(CallView::callId).toList();
    FoundTrees trees = // the view of calls has waited for the position already
        views.queries().send(new FindTrees(id, callIds, 0, asOf), FoundTrees.class);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("calls", callsJson(calls, operator));
    result.put("more", found instanceof Found(_, var more) && more);
    if (!trees.trees().isEmpty()) {
      result.put("trees", TreeJson.withTasks(trees.trees(), operator));
      result.put("moreTrees", trees.more());
    } else {
      notFound(found, trees).ifPresent(it -> result.put("notFound", it));
    }
    if (result.containsKey("notFound") || asOf.isPresent()) {
      DroppedPart.add(result, views, asOf);
    }
    return new Outcome.Answered(
        result, calls.size() == 1 ? Optional.of(calls.getFirst().callId()) : Optional.empty());
  }

  private List<Map<String, Object>> callsJson(List<CallView> calls, Operator operator)
      throws InterruptedException {
    List<Map<String, Object>> json = new ArrayList<>();
    for (CallView call : calls) {
      json.add(callJson(call, operator));
    }
    return json;
  }

  private record NotFound(String reason, String message) {
    static NotFound notProjectedYet(long position, long awaited) {
      return new NotFound(
          "not-projected-yet",
          "the view has reached position %d of %d: try again".formatted(position, awaited));
    }

    static NotFound cameLater() {
      return new NotFound("came-later", "what this id refers to came later");
    }
  }

  /** Why there are no calls, where there are no trees; empty when there are calls. */
  private Optional<NotFound> notFound(LookupResult found, FoundTrees trees) {
    return switch (found) {
      case Found _ -> Optional.empty();
      case LookupResult.CameLater() -> Optional.of(NotFound.cameLater());
      case LookupResult.NotProjectedYet(var position, var awaited) ->
          Optional.of(NotFound.notProjectedYet(position, awaited));
      case LookupResult.NeverSeen(var position) -> Optional.of(noTree(position, trees));
    };
  }

  private NotFound noTree(long position, FoundTrees trees) {
    if (trees.cameLater()) {
      return NotFound.cameLater();
    }
    if (!trees.reached().upToDate()) {
      return NotFound.notProjectedYet(trees.reached().position(), trees.reached().awaited());
    }
    return new NotFound(
        views.droppedThrough(Optional.empty()).isPresent() ? "dropped" : "never-seen",
        "nothing up to position %d has this id".formatted(position));
  }

  private static Optional<String> workflow(CallView callView) {
    return callView.events().stream()
        .flatMap(step ->
            step.event() instanceof ApprovalRequested asked
                ? Stream.of(asked.workflow())
                : Stream.empty())
        .findFirst();
  }

  /** Changes the event trees, which were built for this response and are shared with nothing. */
  private Map<String, Object> callJson(CallView callView, Operator operator)
      throws InterruptedException {
    callView
        .events()
        .forEach(step -> {
          VisibleEvent.restrict(step.data(), operator);
          hiddenArguments.hide(step.data(), () -> workflow(callView));
        });
    Map<String, Object> json = row(callView);
    told(callView.events()).ifPresent(told -> json.put("told", told));
    if (callView.events().stream().anyMatch(step -> journal.isArchived(step.position()))) {
      json.put("archived", true);
    }
    json.put("events", callView.events());
    return json;
  }

  /**
   * The error that the caller got; empty where it is unknown. A caller whose record took too long
   * got the error of an outage, although the record may exist.
   */
  private Optional<String> told(List<CallView.Step> steps) throws InterruptedException {
    Optional<String> told =
        ToldError.of(steps.stream().flatMap(step -> Stream.ofNullable(step.event())).toList());
    return told.isPresent() && hadOutage(Instant.parse(steps.getLast().at()))
        ? Optional.empty()
        : told;
  }

  private boolean hadOutage(Instant at) throws InterruptedException {
    return views.queries().send(new FindOutage(at), CallQueries.FoundOutage.class).found();
  }

  private Outcome verify(CallParams callParams, Operator operator) {
    if (!verifying.tryAcquire()) {
      return new Outcome.Busy(
          "a verification of the journal is running: try again when it has ended");
    }
    try {
      return verifierThreads.run(() -> verified(callParams, operator));
    } catch (SQLException e) {
      throw new IllegalStateException("no verification uses it as a database", e);
    } finally {
      verifying.release();
    }
  }

  private Outcome verified(CallParams callParams, Operator operator) {
    KeyCheck keyCheck = new KeyCheck(eventVocabulary::isMissing);
    List<ExternalCheckpoint> against = externalCheckpoints(callParams.texts("against"));
    cosigned().ifPresent(against::add);
    try (var journalSnapshot = journal.snapshot()) {
      VerificationReport verificationReport =
          new Verification(List.of(journal.verifier()), VerificationLimits.DEFAULT)
              .verify(
                  journalSnapshot,
                  against,
                  new VerificationScope(callParams.isTrue("all"), VERIFIER_THREADS, keyCheck));
      lastVerification =
          Optional.of(
              new VerificationResult(
                  clock.instant().toString(),
                  operator.name(),
                  verificationReport.clean(),
                  verificationReport.totals().lastPosition()));
      return Outcome.answered(
          VerificationJson.json(verificationReport, journal.verifier(), keyCheck.result()));
    }
  }

  /** What a quorum of witnesses cosigned, before the journal is read. */
  private Optional<ExternalCheckpoint> cosigned() {
    try {
      return logWitnesses
          .cosigned()
          .map(it -> new ExternalCheckpoint(LogWitnesses.FOLDER, it.note().getBytes(UTF_8)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static List<ExternalCheckpoint> externalCheckpoints(List<String> notes) {
    List<ExternalCheckpoint> checkpoints = new ArrayList<>();
    for (String note : notes) {
      checkpoints.add(
          new ExternalCheckpoint("against[" + checkpoints.size() + "]", note.getBytes(UTF_8)));
    }
    return checkpoints;
  }
}
