package gatebook.query;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.RulesActivated;
import gatebook.events.TaskCreated;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.KeptContent;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.journal.DraftEvent;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Generates random events: concurrent calls of all kinds and trees of tasks, each in appends like
 * those of the product.
 */
public final class RandomEvents {
  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");
  private static final Digest DIGEST = new Digest("k1", Bytes.of(new byte[32]));
  private static final KeptContent KEPT = new KeptContent(2, DIGEST, null, null);
  private static final List<String> TOOLS = List.of("read_file", "delete_file", "deploy", "search");
  private static final List<String> AGENTS = List.of("planner", "writer");
  private static final List<String> PRINCIPALS = List.of("ada", "grace", "alan");

  private final SplittableRandom random;
  private final boolean crowded;
  private final EventVocabulary eventVocabulary = MemoryContentKeys.vocabulary();

  /** The remaining appends of the calls and trees in progress. */
  private final List<Queue<List<Event>>> inProgress = new ArrayList<>();

  private long millis;
  private long micros;
  private long calls;

  public RandomEvents(SplittableRandom random) {
    this(random, false);
  }

  private RandomEvents(SplittableRandom random, boolean crowded) {
    this.random = random;
    this.crowded = crowded;
  }

  /**
   * Generates events of a busy node: most are within the same second, and its clock sometimes
   * steps, also back.
   */
  public static RandomEvents crowded(SplittableRandom random) {
    return new RandomEvents(random, true);
  }

  private long stepMillis() {
    if (!crowded) {
      return random.nextInt(5_000);
    }
    return random.nextInt(150) == 0 ? random.nextInt(-7_200_000, 90_000_000) : random.nextInt(3);
  }

  /** The time of an event, one near to it, or the beginning of its hour. */
  public static Instant timeNear(Instant at, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> at;
      case 1 -> at.plusMillis(random.nextLong(-3_000, 3_000));
      case 2 -> at.plusMillis(random.nextLong(-90_000_000, 90_000_000));
      default -> Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), 3_600) * 3_600);
    };
  }

  /** The events of the next append. */
  public List<DraftEvent> next() {
    millis += stepMillis();
    if (inProgress.isEmpty() || random.nextInt(3) > 0) {
      inProgress.add(new ArrayDeque<>(random.nextInt(4) == 0 ? tree() : call()));
    }
    int chosen = random.nextInt(inProgress.size());
    Queue<List<Event>> call = inProgress.get(chosen);
    List<Event> events = call.remove();
    if (call.isEmpty()) {
      inProgress.remove(chosen);
    }
    return events.stream().map(this::draft).toList();
  }

  /** Some events of an append have the same time, as of a coarse clock. */
  private DraftEvent draft(Event event) {
    micros += random.nextInt(3);
    return eventVocabulary.draft(event, at());
  }

  private Instant at() {
    return BEGIN.plusMillis(millis).plusNanos(micros * 1_000);
  }

  private List<List<Event>> call() {
    UUID call = new UUID(0x0192_0000_0000_7000L + (calls++ << 16), random.nextLong());
    return switch (random.nextInt(10)) {
      case 0 -> List.of(List.of(refused(call)));
      case 1 -> List.of(refusalCounts());
      case 2 -> List.of(List.of(activated()));
      case 3 -> List.of(denied(call));
      case 4 -> deniedInParts(call);
      case 5 -> approvalCall(call);
      case 6 -> List.of(forwarded(call, "1"), List.of(orphaned(call)));
      case 7 -> taskCall(call);
      case 8 -> List.of(forwarded(call, null), List.of(answered(call)));
      default ->
          List.of(
              forwarded(call, "1"), List.of(random.nextBoolean() ? answered(call) : failed(call)));
    };
  }

  private List<List<Event>> taskCall(UUID call) {
    List<Event> first = new ArrayList<>(forwarded(call, "1"));
    first.add(
        new TaskCreated(
            call,
            "task-" + calls,
            TaskCreated.Form.TASK,
            at(),
            60_000,
            "c-" + random.nextInt(9),
            null));
    if (random.nextBoolean()) {
      first.add(new AgentTaskCreated(call, "files", "ada", "t-" + calls, "c-" + calls, at()));
    }
    return switch (random.nextInt(4)) {
      case 0 -> List.of(first);
      case 1 -> List.of(first, List.of(orphaned(call)));
      case 2 -> List.of(first, List.of(failed(call)));
      default -> List.of(first, List.of(answered(call)));
    };
  }

  private List<List<Event>> tree() {
    return new RandomTree(random, new UUID(0x0193_0000_0000_7000L + (calls++ << 16), 1), at())
        .appends();
  }

  private List<List<Event>> approvalCall(UUID call) {
    String tool = any(TOOLS);
    UUID approval = random.nextBoolean() ? call : new UUID(call.getMostSignificantBits(), 7);
    String task = random.nextBoolean() ? "task-" + calls : null;
    List<Event> first =
        List.of(
            received(call, "1", tool),
            new ApprovalRequested(
                call,
                approval,
                task,
                "default",
                "operator",
                DIGEST,
                at(),
                at().plusSeconds(600),
                null,
                ApprovalRequested.OnTimeout.DENY,
                "rules",
                List.of()));
    return switch (random.nextInt(5)) {
      case 0 -> List.of(first);
      case 1 ->
          List.of(
              first,
              List.of(new ApprovalGranted(call, approval, task, "eve", null, at())),
              List.of(
                  new CallAdmitted(call, "rules", List.of()),
                  new CallForwarded(call, 1, "files", "http://files", 1, null)),
              List.of(answered(call)));
      case 2 ->
          List.of(
              first,
              List.of(new ApprovalRejected(call, approval, task, "eve", "no", at())),
              denial(call, tool, new Denied.ApprovalRejected(tool, "eve", "no", "default")));
      case 3 ->
          List.of(
              first,
              concat(
                  List.of(new ApprovalTimedOut(call, approval, task, at(), 600_000)),
                  denial(call, tool, new Denied.ApprovalTimeout(tool, 600, "default"))
                      .toArray(Event[]::new)));
      default ->
          List.of(
              first, List.of(new CallAbandoned(call, CallAbandoned.Cause.DISCONNECTED, false, 12)));
    };
  }

  private static List<Event> concat(List<Event> first, Event... others) {
    List<Event> all = new ArrayList<>(first);
    all.addAll(List.of(others));
    return all;
  }

  private List<Event> denied(UUID call) {
    String tool = any(TOOLS);
    Fault fault =
        random.nextBoolean()
            ? new Denied.ToolNotExposed(tool, "files")
            : new Denied.GovernanceRuleDenied(tool, "*_file", false);
    return concat(
        List.of(received(call, "1", tool)), denial(call, tool, fault).toArray(Event[]::new));
  }

  /** A denial that is told later, or never, or for which another call asks. */
  private List<List<Event>> deniedInParts(UUID call) {
    List<Event> denied = denied(call);
    ErrorTranslated error = (ErrorTranslated) denied.getLast();
    List<Event> untold = denied.subList(0, denied.size() - 1);
    UUID asking = new UUID(call.getMostSignificantBits(), 9);
    ErrorTranslated again =
        new ErrorTranslated(asking, error.target(), error.fault(), error.told(), 0, null, 5, call);
    return switch (random.nextInt(4)) {
      case 0 -> List.of(untold);
      case 1 -> List.of(untold, List.of(error));
      case 2 -> List.of(denied, List.of(received(asking, "2", "search"), again));
      default ->
          List.of(
              concat(
                  untold,
                  new ErrorTranslated(
                      call, null, error.fault(), error.told(), 0, null, error.totalMillis())));
    };
  }

  private List<Event> denial(UUID call, String tool, Fault fault) {
    Ruling ruling =
        switch (fault) {
          case Denied.ToolNotExposed _ ->
              new Ruling.Visibility(deny(DenialReason.NOT_EXPOSED), Exposure.ALLOWLIST, null, 1);
          case Denied.GovernanceRuleDenied _ ->
              new Ruling.Governance(deny(DenialReason.RULE), Action.DENY, 1, "*_file", 1);
          case Denied.ApprovalTimeout _ ->
              new Ruling.Approval(deny(DenialReason.TIMED_OUT), "default", null, null, 1);
          default -> new Ruling.Approval(deny(DenialReason.REJECTED), "default", null, "eve", 1);
        };
    return List.of(
        new GateDenied(call, "rules", tool, any(PRINCIPALS), List.of(ruling), null, observed(true)),
        new ErrorTranslated(
            call, tool, fault, errorResponse(-32_015 + random.nextInt(3)), 0, null, 3));
  }

  /** What the event of a denial has, too, is mostly left out of the verdict. */
  private @Nullable ObservedVerdict observed(boolean isDenied) {
    return switch (random.nextInt(4)) {
      case 0 -> ObservedVerdict.failed("candidate", "broken", null);
      case 1 ->
          new ObservedVerdict(
              "candidate",
              ObservedVerdict.Outcome.WOULD_DENY,
              random.nextBoolean() ? Gate.GOVERNANCE : null,
              1,
              null,
              random.nextBoolean() ? "rule" : "principal-unknown",
              null,
              null,
              isDenied && random.nextInt(4) > 0 ? null : any(TOOLS),
              isDenied ? null : any(PRINCIPALS));
      default -> null;
    };
  }

  private static Verdict deny(DenialReason reason) {
    return new Verdict.Deny(reason, null);
  }

  private List<Event> forwarded(UUID call, @Nullable String rpcId) {
    return List.of(
        received(call, rpcId, any(TOOLS)),
        new CallAdmitted(call, "rules", List.of(), null, observed(false)),
        new CallForwarded(call, 1, "files", "http://files", 30_000, null));
  }

  private CallReceived received(UUID call, @Nullable String rpcId, String tool) {
    return new CallReceived(
        call,
        "order-" + random.nextInt(50),
        null,
        any(List.of(Dialect.values())),
        null,
        Transport.HTTP,
        at(),
        "tools/call",
        rpcId,
        new Principal(any(PRINCIPALS), List.of(), Map.of()),
        "files",
        tool,
        null,
        KEPT,
        null,
        "rules",
        random.nextBoolean() ? any(AGENTS) : null);
  }

  private static CallAnswered answered(UUID call) {
    return new CallAnswered(call, CallAnswered.Outcome.SUCCESS, KEPT, 1, 5L, 7);
  }

  private static CallOrphaned orphaned(UUID call) {
    return new CallOrphaned(call, "node-2", true);
  }

  private ErrorTranslated failed(UUID call) {
    return new ErrorTranslated(
        call,
        any(TOOLS),
        new UpstreamFault.UpstreamTimeout("files", "http://files", 30_000),
        errorResponse(-32_001),
        1,
        30_000L,
        30_001);
  }

  private MessageRefused refused(UUID call) {
    return new MessageRefused(
        call,
        "order-" + random.nextInt(50),
        Dialect.MCP,
        Transport.HTTP,
        null,
        null,
        7,
        new Malformed.ParseError(Malformed.ParseDefect.SYNTAX, 1L),
        errorResponse(-32_700));
  }

  private List<Event> refusalCounts() {
    return List.of(
        new MessagesRefused(
            at(),
            at(),
            List.of(
                new MessagesRefused.Count(
                    Dialect.MCP,
                    Transport.HTTP,
                    "ParseError",
                    random.nextBoolean() ? null : -32_700,
                    1 + random.nextInt(100)),
                new MessagesRefused.Count(Dialect.FLOW, Transport.HTTP, "Oversize", null, 2))));
  }

  private RulesActivated activated() {
    return new RulesActivated("rules-" + random.nextInt(3), "schema: 1", List.of(), null, "4.0");
  }

  private ErrorResponse errorResponse(int code) {
    return new ErrorResponse(any(List.of(Dialect.MCP, Dialect.A2A)), code, "no", null, 200);
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
