package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import gatebook.events.CallerReplied;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.CosignatureRefused;
import gatebook.events.DiskLevelChanged;
import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.ErasureRefused;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import gatebook.events.EventsDropped;
import gatebook.events.GateDenied;
import gatebook.events.JournalOutage;
import gatebook.events.KeysBackupBegun;
import gatebook.events.KeysBackupCompleted;
import gatebook.events.KeysRestoreBegun;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.MismatchAccepted;
import gatebook.events.OperatorActed;
import gatebook.events.OriginBegun;
import gatebook.events.ResultKept;
import gatebook.events.RollbackFound;
import gatebook.events.RulesActivated;
import gatebook.events.RulesObserved;
import gatebook.events.RulesRejected;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.WrappingKeyRotated;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.DroppedCount;
import gatebook.events.call.ErasureCause;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Exposure;
import gatebook.events.call.Gate;
import gatebook.events.call.JsonValue;
import gatebook.events.call.KeptContent;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.SentMessage;
import gatebook.events.call.Transport;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import gatebook.events.fault.ServerFault;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.Unsupported;
import gatebook.events.fault.UpstreamFault;
import gatebook.events.fault.Withheld;
import gatebook.events.journal.drop.PositionSet;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One of everything, with every member filled. */
final class Samples {
  private Samples() {}

  static final UUID CALL = UUID.fromString("0199a3c2-7d10-7c4e-8f21-5b6a7c8d9e0f");
  static final UUID APPROVAL = UUID.fromString("0199a3c2-7d11-7aaa-9bbb-0c1d2e3f4a5b");
  static final String TASK = "tg_4f9a1c0de72b8a6530f1e";
  static final Instant NOON = Instant.parse("2026-10-01T12:00:00.123456789Z");
  private static final String HASH =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final String WITNESS =
      "witness.example/w+00000000+BARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T";
  static final Bytes THREE = Bytes.of(new byte[] {0, (byte) 0xff, 16});
  static final Digest DIGEST = new Digest("digest-1", THREE);

  private static final ObservedVerdict OBSERVED =
      new ObservedVerdict(
          HASH,
          ObservedVerdict.Outcome.WOULD_DENY,
          Gate.POLICY,
          4,
          List.of("base.cedar:1"),
          DenialReason.POLICY_FORBIDS.word(),
          null,
          "ops",
          "deploy_prod",
          "ci");

  private static final Ruling VISIBLE =
      new Ruling.Visibility(new Verdict.Pass(), Exposure.ALLOWLIST, "deploy_*", 12);
  private static final Ruling GOVERNED =
      new Ruling.Governance(new Verdict.Pass(), Action.POLICY, 3, "deploy_*", 7);
  private static final Ruling PERMITTED =
      new Ruling.Policy(
          new Verdict.Ask("ops"),
          "deploys",
          List.of("policy0", "policy2"),
          List.of(),
          "4.10.0",
          false,
          93);
  private static final Ruling APPROVED =
      new Ruling.Approval(new Verdict.Forward(), "ops", APPROVAL, "alice", 4);
  private static final Ruling FORBIDDEN =
      new Ruling.Policy(
          new Verdict.Deny(DenialReason.POLICY_ERROR, "policy1 failed"),
          "deploys",
          List.of(),
          List.of("policy1: attribute `bytes` is missing"),
          "4.10.0",
          true,
          101);

  private static final ErrorResponse TOLD =
      new ErrorResponse(
          Dialect.MCP,
          -32003,
          "Policy denied access to tool 'deploy_prod'",
          JsonValue.parse(
              """
              {"correlation_id": "abc-123", "gate": "policy", "tool": "deploy_prod"}\
              """),
          200);

  private static final Problem PROBLEM =
      new Problem(
          "priority", "out of range", "0-3", JsonValue.parse("5"), List.of("0", "1", "2", "3"));

  /** Every kind of event at least once, by the name of its golden file. */
  static Map<String, Event> events() {
    Map<String, Event> events = new HashMap<>(others());
    events.putAll(TreeSamples.events());
    return Map.copyOf(events);
  }

  private static Map<String, Event> others() {
    return Map.ofEntries(
        Map.entry(
            "RulesActivated.1",
            new RulesActivated(
                HASH,
                "schema: 1\nsources: []\n",
                List.of(
                    new RulesActivated.PolicyText(
                        "base.cedar", "permit (principal, action, resource);")),
                "namespace ThoughtGate {}",
                "4.10.0")),
        Map.entry(
            "RulesObserved.1",
            new RulesObserved(
                HASH,
                "schema: 1\nsources: []\n",
                List.of(
                    new RulesActivated.PolicyText(
                        "base.cedar", "permit (principal, action, resource);")),
                "namespace ThoughtGate {}",
                "4.10.0")),
        Map.entry(
            "CallAdmitted.1.observed",
            new CallAdmitted(CALL, HASH, List.of(VISIBLE, GOVERNED), 1, OBSERVED)),
        Map.entry(
            "GateDenied.1.observed",
            new GateDenied(
                CALL,
                HASH,
                "deploy_prod",
                "ci",
                List.of(VISIBLE, GOVERNED, FORBIDDEN),
                1,
                ObservedVerdict.failed(HASH, "broken", null))),
        Map.entry(
            "CallAdmitted.1.undecided",
            new CallAdmitted(
                CALL,
                HASH,
                List.of(VISIBLE, GOVERNED),
                1,
                ObservedVerdict.failed(
                    HASH, "policy-error", List.of("policy1: attribute `bytes` is missing")))),
        Map.entry(
            "RulesRejected.1",
            new RulesRejected(
                HASH,
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                List.of(
                    new RulesRejected.Mistake(
                        "gatebook.yaml", 7, 3, "unknown key 'acton', did you mean 'action'")))),
        Map.entry(
            "ErasureBegun.1",
            new ErasureBegun(
                CALL,
                ErasureCause.FORGET,
                "ada",
                "alice",
                LocalDate.parse("2026-10-01"),
                LocalDate.parse("2026-10-31"),
                List.of("0123456789abcdef"),
                "asked for on paper")),
        Map.entry("KeysBackupBegun.1", new KeysBackupBegun(CALL, "ada", "/vault/gatebook.keys")),
        Map.entry(
            "KeysBackupCompleted.1",
            new KeysBackupCompleted(CALL, 400, Instant.parse("2026-03-04T05:06:07.008Z"))),
        Map.entry("KeysBackupCompleted.1.empty", new KeysBackupCompleted(CALL, 0, null)),
        Map.entry(
            "KeysRestoreBegun.1",
            new KeysRestoreBegun(
                "ada", "/vault/gatebook.keys", Instant.parse("2026-03-04T05:06:07.008Z"), 400)),
        Map.entry("ErasureCompleted.1", new ErasureCompleted(CALL, 31, 2)),
        Map.entry(
            "ErasureRefused.1",
            new ErasureRefused(
                CALL,
                ErasureCause.RETENTION,
                null,
                null,
                null,
                LocalDate.parse("2026-10-31"),
                List.of("case 7"))),
        Map.entry("CallReceived.2", received()),
        Map.entry("CallReceived.2.notification", notification()),
        Map.entry("CallReceived.2.agent", receivedByAgent(null)),
        Map.entry("CallReceived.2.about", receivedByAgent(List.of("task-1", "message-1"))),
        Map.entry("CallReceived.2.budgets", counted()),
        Map.entry(
            "CallAdmitted.1",
            new CallAdmitted(CALL, HASH, List.of(VISIBLE, GOVERNED, PERMITTED, APPROVED))),
        Map.entry(
            "GateDenied.1",
            new GateDenied(CALL, HASH, "deploy_prod", "ci", List.of(VISIBLE, GOVERNED, FORBIDDEN))),
        Map.entry("ApprovalRequested.1", approvalRequested()),
        Map.entry(
            "ApprovalGranted.1",
            new ApprovalGranted(CALL, APPROVAL, TASK, "alice", "release day", NOON)),
        Map.entry(
            "ApprovalRejected.1",
            new ApprovalRejected(CALL, APPROVAL, TASK, "alice", "not on a friday", NOON)),
        Map.entry("ApprovalTimedOut.1", new ApprovalTimedOut(CALL, APPROVAL, TASK, NOON, 600_000)),
        Map.entry(
            "TaskCreated.1", new TaskCreated(CALL, TASK, TaskCreated.Form.TASK, NOON, 4_200_000)),
        Map.entry(
            "TaskCreated.1.context",
            new TaskCreated(CALL, TASK, TaskCreated.Form.TASK, NOON, 4_200_000, "context-1", null)),
        Map.entry(
            "TaskCreated.1.message",
            new TaskCreated(
                CALL,
                TASK,
                TaskCreated.Form.TASK,
                NOON,
                4_200_000,
                "context-1",
                new SentMessage("5e88", DIGEST))),
        Map.entry(
            "TaskCreated.1.agent",
            new TaskCreated(
                CALL, TASK, TaskCreated.Form.TASK, NOON, 4_200_000, "context-1", null, "planner")),
        Map.entry("ResultKept.2", new ResultKept(CALL, TASK, 1, 2, "{\"part\": \"größer\"}")),
        Map.entry(
            "AgentTaskCreated.1",
            new AgentTaskCreated(CALL, "planner", "joe", "task-1", "context-1", NOON)),
        Map.entry(
            "AgentTaskCreated.1.message",
            new AgentTaskCreated(
                CALL,
                "planner",
                "joe",
                "task-1",
                "context-1",
                NOON,
                new SentMessage("5e88", DIGEST))),
        Map.entry(
            "AgentTaskCreated.1.told",
            new AgentTaskCreated(
                CALL, "planner", "joe", "task-1", "context-1", NOON, null, TASK, "told-1")),
        Map.entry(
            "CallForwarded.1",
            new CallForwarded(
                CALL, 2, "tools", "https://tools.example/mcp", 30_000, "connection refused")),
        Map.entry(
            "SourceAsked.1",
            new SourceAsked(
                CALL,
                "tools",
                "gatebook-7",
                "elicitation/create",
                new KeptContent(64, DIGEST, null, "{\"message\":\"which"))),
        Map.entry(
            "CallerReplied.1",
            new CallerReplied(
                CALL,
                "tools",
                "gatebook-7",
                CallerReplied.Outcome.RESULT,
                new KeptContent(20, DIGEST, null, "{\"action\":\"ac"))),
        Map.entry(
            "CallAnswered.1",
            new CallAnswered(
                CALL,
                CallAnswered.Outcome.TOOL_ERROR,
                new KeptContent(
                    48_000_000,
                    DIGEST,
                    null,
                    """
                    {"content":[{"type":"te\
                    """),
                2,
                181L,
                190)),
        Map.entry(
            "ErrorTranslated.1",
            new ErrorTranslated(
                CALL,
                "deploy_prod",
                new Denied.PolicyDenied("deploy_prod", "deploys", "policy1 failed"),
                TOLD,
                0,
                17L,
                18)),
        Map.entry(
            "MessageRefused.1",
            new MessageRefused(
                CALL,
                "abc-123",
                Dialect.DAEMON,
                Transport.FRAMES,
                "editor",
                "17",
                412,
                new Malformed.DuplicateKey(33L),
                new ErrorResponse(
                    Dialect.DAEMON,
                    -32600,
                    "Invalid Request",
                    JsonValue.parse(
                        """
                        {"reason":"duplicate-key","correlation_id":"abc-123"}\
                        """),
                    200))),
        Map.entry(
            "MessagesRefused.1",
            new MessagesRefused(
                NOON,
                NOON.plusSeconds(1),
                List.of(
                    new MessagesRefused.Count(
                        Dialect.MCP, Transport.HTTP, "ParseError", null, 90_210),
                    new MessagesRefused.Count(Dialect.A2A, Transport.HTTP, "Oversize", null, 1)))),
        Map.entry(
            "MessagesRefused.1.code",
            new MessagesRefused(
                NOON,
                NOON.plusSeconds(1),
                List.of(
                    new MessagesRefused.Count(
                        Dialect.MCP, Transport.HTTP, "ParseError", -32_700, 3)))),
        Map.entry(
            "CallAbandoned.1",
            new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, true, 5_003)),
        Map.entry("CallOrphaned.1", new CallOrphaned(CALL, "node-b", false)),
        Map.entry(
            "JournalOutage.1",
            new JournalOutage(NOON, NOON.plusSeconds(90), "no space left on device", 4_011, 3)),
        Map.entry(
            "OperatorActed.1",
            new OperatorActed(
                "alice", "audit.lookup", JsonValue.parse("{\"id\":\"abc-123\"}"), CALL, true)),
        Map.entry("MismatchAccepted.1", mismatchAccepted(null)),
        Map.entry(
            "MismatchAccepted.1.lost",
            mismatchAccepted(
                List.of(new MismatchAccepted.Lost(3, 5), new MismatchAccepted.Lost(7, 7)))),
        Map.entry(
            "CheckpointKeyRotated.1",
            new CheckpointKeyRotated(
                "alice",
                "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                "PeterNeumann+26d6d2d1+ASV0A0Bz7Wl7vXdBbnDtmWKWmnk3rTc0oMTV9IoX4Jpz")),
        Map.entry(
            "DiskLevelChanged.1",
            new DiskLevelChanged(
                DiskLevelChanged.Disk.JOURNAL,
                DiskLevelChanged.Level.WARNING,
                81_000_000_000L,
                100_000_000_000L,
                1_500_000_000L)),
        Map.entry(
            "CosignatureRefused.1",
            new CosignatureRefused(WITNESS, "gatebook.example/journal", 6, 9, THREE)),
        Map.entry("EventsDropped.1", eventsDropped()),
        Map.entry(
            "RollbackFound.1",
            new RollbackFound(
                WITNESS, "gatebook.example/journal", 6, "gatebook.example/journal\n9\nAP8Q\n")),
        Map.entry("OriginBegun.1", originBegun("gatebook.example/journal\n6\nAP8Q\n")),
        Map.entry("OriginBegun.1.unsigned", originBegun(null)),
        Map.entry(
            "WrappingKeyRotated.1",
            new WrappingKeyRotated(
                "alice",
                "0123456789abcdef",
                "fedcba9876543210",
                Instant.parse("2026-03-04T05:06:07.008Z"))));
  }

  private static EventsDropped eventsDropped() {
    Instant hour = Instant.parse("2025-11-30T05:00:00Z");
    return new EventsDropped(
        1,
        400,
        Instant.parse("2025-11-30T05:06:07.008Z"),
        THREE,
        Bytes.of(PositionSet.of(List.of(3L, 300L)).encode()),
        List.of(
            new DroppedCount(
                    DroppedCount.Kind.DENIAL,
                    Gate.GOVERNANCE,
                    DenialReason.RULE,
                    Dialect.MCP,
                    "-32003",
                    null)
                .with(new TreeMap<>(Map.of(hour, 7L, hour.plusSeconds(7_200), 300L))),
            new DroppedCount(
                    DroppedCount.Kind.ERROR, null, null, Dialect.A2A, "other", "UpstreamError")
                .with(new TreeMap<>(Map.of(hour, 12L)))));
  }

  private static OriginBegun originBegun(@Nullable String checkpoint) {
    return new OriginBegun(
        "alice",
        "the machine was replaced",
        "gatebook.example/journal",
        "gatebook.example/restored",
        6,
        THREE,
        checkpoint);
  }

  private static MismatchAccepted mismatchAccepted(@Nullable List<MismatchAccepted.Lost> lost) {
    return new MismatchAccepted(
        "alice",
        "restored from yesterday's backup",
        "gatebook.example/journal\n7\nAP8Q\n\n— gatebook.example AAAA\n",
        6,
        THREE,
        lost);
  }

  static CallReceived received() {
    return new CallReceived(
        CALL,
        "abc-123",
        "4bf92f3577b34da6a3ce929d0e0e4736",
        Dialect.MCP,
        "2025-11-25",
        Transport.HTTP,
        NOON,
        "tools/call",
        "\"\\u0037\"",
        new Principal("ci", List.of("dev", "deployer"), Map.of("team", "core", "env", "prod")),
        "tools",
        "deploy_prod",
        TASK,
        new KeptContent(
            51,
            DIGEST,
            JsonValue.parse(
                """
                {"z": 1.50, "a": "größer \\u2028 🙂", "token": "[REDACTED]"}\
                """),
            null),
        "{\"z\": 1.50, \"token\": \"t\"}",
        HASH);
  }

  private static CallReceived notification() {
    return new CallReceived(
        CALL,
        "0199a3c27d107c4e8f215b6a7c8d9e0f",
        null,
        Dialect.FLOW,
        null,
        Transport.LINES,
        Instant.parse("2026-10-01T12:00:00Z"),
        "tasks.list",
        null,
        new Principal("anonymous", List.of(), Map.of()),
        null,
        null,
        null,
        null,
        null,
        HASH);
  }

  private static CallReceived receivedByAgent(@Nullable List<String> aboutIds) {
    return new CallReceived(
        CALL,
        "abc-123",
        null,
        Dialect.A2A,
        "v1",
        Transport.HTTP,
        NOON,
        "SendMessage",
        "7",
        new Principal("anonymous", List.of(), Map.of()),
        null,
        null,
        null,
        null,
        null,
        HASH,
        "translator",
        aboutIds,
        null);
  }

  private static CallReceived counted() {
    return new CallReceived(
        CALL,
        "abc-123",
        null,
        Dialect.MCP,
        null,
        Transport.HTTP,
        NOON,
        "tools/call",
        "1",
        new Principal("ci", List.of(), Map.of()),
        "tools",
        "deploy_prod",
        null,
        null,
        null,
        HASH,
        null,
        null,
        List.of("ci-deploys"));
  }

  static ApprovalRequested approvalRequested() {
    return new ApprovalRequested(
        CALL,
        APPROVAL,
        TASK,
        "ops",
        "operator",
        DIGEST,
        NOON,
        NOON.plusSeconds(600),
        NOON.plusSeconds(300),
        ApprovalRequested.OnTimeout.DENY,
        HASH,
        List.of(VISIBLE, GOVERNED, PERMITTED));
  }

  /** Every kind of fault once. */
  static List<Fault> faults() {
    return List.of(
        new Malformed.ParseError(Malformed.ParseDefect.INVALID_UTF8, 17L),
        new Malformed.LengthMismatch(120, 96),
        new Malformed.LengthMissing(),
        new Malformed.HeaderMalformed(2),
        new Malformed.HeaderTooLarge(8192),
        new Malformed.ReadTimeout(30_000, 4_096),
        new Malformed.Oversize(10_485_760, 10_485_761L),
        new Malformed.UnsupportedContentType("text/plain"),
        new Malformed.UnsupportedContentEncoding("br"),
        new Malformed.BadCharset("latin1"),
        new Malformed.InvalidRequest(Malformed.EnvelopeDefect.METHOD_MISSING),
        new Malformed.InvalidIdType("object"),
        new Malformed.BatchNotSupported(),
        new Malformed.UnknownSession(),
        new Malformed.DuplicateKey(33L),
        new Malformed.TooDeep(256),
        new Misdirected.MethodNotFound("tools/explode"),
        new Misdirected.UnknownAgent("translator"),
        new Misdirected.InvalidParams(List.of(PROBLEM)),
        new Misdirected.Unauthorized(Misdirected.Refusal.TOKEN_UNKNOWN),
        new Misdirected.RateLimited(Misdirected.Limit.RATE, 2L),
        new Misdirected.HeaderMismatch("Mcp-Method"),
        new Denied.ToolNotExposed("admin_delete", "tools"),
        new Denied.GovernanceRuleDenied("delete_all", "*_all", true),
        new Denied.PolicyDenied("transfer_funds", "financial", "default-deny"),
        new Denied.ApprovalRejected("deploy_prod", "alice", "not on a friday", "ops"),
        new Denied.ApprovalTimeout("deploy_prod", 600, "ops"),
        new Denied.WorkflowNotFound("ops"),
        new Withheld.InspectionFailed("secrets", "a private key in 'body'"),
        new Withheld.PolicyDrift("deploy_prod", TASK, Gate.GOVERNANCE, "aa01", "bb02"),
        new Withheld.TransformDrift("deploy_prod", TASK),
        new TaskFault.TaskNotFound("550e8400-e29b-41d4-a716-446655440000"),
        new TaskFault.TaskExpired(TASK, 600L),
        new TaskFault.TaskCancelled(TASK),
        new TaskFault.TaskNotCancelable(TASK, "completed"),
        new TaskFault.InvalidStateTransition(
            TASK, "completed", "in_progress", "completed is terminal"),
        new TaskFault.TaskAlreadyExecuting(TASK),
        new TaskFault.InvalidTaskSchema(TASK, List.of(PROBLEM)),
        new TaskFault.CircularDependency(List.of("task-a", "task-b", "task-a")),
        new TaskFault.DependencyNotSatisfied("task-b", List.of("task-a")),
        new TaskFault.InvalidDependencyReference("task-b", "task-z"),
        new TaskFault.InvalidParentReference("task-b", "task-z", "no such task"),
        new TaskFault.TaskTreeInvalid(TaskFault.TreeDefect.SEVERAL_ROOTS, "task-c"),
        new TaskFault.CannotDeleteTask("task-a", TaskFault.Obstacle.HAS_CHILDREN),
        new TaskFault.ExecutorNotFound("web_crawler", null),
        new TaskFault.UnknownSkill("translate"),
        new TaskFault.SeveralTaskFaults(
            List.of(
                new TaskFault.InvalidDependencyReference("task-b", "task-y"),
                new TaskFault.InvalidDependencyReference("task-b", "task-z"))),
        new Unsupported.PushNotificationNotSupported(),
        new Unsupported.UnsupportedOperation("SubscribeToTask", "the task has ended"),
        new Unsupported.ContentTypeNotSupported("image/heic", List.of("image/png")),
        new Unsupported.ExtendedAgentCardNotConfigured(),
        new Unsupported.ExtensionSupportRequired("https://example.org/ext/geo/v1"),
        new Unsupported.ClientCapabilityMissing(List.of("elicitation")),
        new Unsupported.VersionNotSupported("2.0", List.of("0.3", "1.0")),
        new UpstreamFault.UpstreamConnectionFailed(
            "tools", "https://tools.example/mcp?key=k", "connection refused", 3),
        new UpstreamFault.UpstreamTimeout("tools", "https://tools.example/mcp", 30_000),
        new UpstreamFault.UpstreamError(
            "tools", -32050, "disk full on /srv/data", JsonValue.parse("[1,null,{}]"), 200),
        new UpstreamFault.InvalidAgentResponse("agent", "no task id"),
        new UpstreamFault.ExecutorFailed(TASK, "web_crawler", "timed out after 30 s"),
        new UpstreamFault.CoordinatorError("no agent is free"),
        new ServerFault.ServiceUnavailable(ServerFault.Cause.JOURNAL, 5L),
        new ServerFault.ConfigurationError("gatebook.yaml: no sources"),
        new ServerFault.InternalError("translating a fault", "IllegalStateException"),
        new ServerFault.SerializationError("agent card"),
        new ServerFault.IoError("policy file"));
  }

  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
