package gatebook.command;

import gatebook.command.call.CallQuotas;
import gatebook.command.call.Deferral;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.handler.CallCommandHandlers;
import gatebook.command.call.handler.ReceiveDecider;
import gatebook.command.gate.GateChain;
import gatebook.command.gate.GateInput;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallReceived;
import gatebook.events.call.Dialect;
import gatebook.events.call.Digest;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.keys.OldKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call given to tests, and what its deciders need. */
public final class GivenCall {

  public static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  public static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  public static final Principal ADA = new Principal("ada", List.of("dev"), Map.of("team", "red"));
  public static final DialectVersion DIALECT_VERSION =
      new DialectVersion(Dialect.MCP, "2025-11-25");
  public static final String ARGUMENTS = "{\"a\":1}";

  /** How long every decision takes. */
  public static final long TOOK_MILLIS = 7;

  public static final InstantSource CLOCK = InstantSource.fixed(NOON.plusMillis(TOOK_MILLIS));

  /** The keys of all nodes that a test does not give others. */
  public static final ContentKeys KEYS = new MemoryContentKeys();

  public static final ContentDigests DIGESTS = new ContentDigests(KEYS, OldKeys.NONE);
  public static final PayloadRecorders RECORDERS = recorders(DIGESTS);

  /** What is recorded of the payloads of the call. */
  public static final PayloadRecorder RECORDER =
      RECORDERS.of(Rules.NONE, ContentOwner.ofCall(ADA.name(), CALL));

  public static final InspectorChain INSPECTORS = new InspectorChain(_ -> Scrubber.BUILT_IN);

  /** Arguments that the inspector for secrets refuses. */
  public static final String SECRET_ARGUMENTS =
      "{\"key\":\"ghp_%s\"}".formatted("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");

  /** Translates a fault into an error response that shows the arguments. */
  public static final FaultTranslator TRANSLATOR =
      (fault, dialectVersion, correlationId) ->
          new ErrorResponse(
              dialectVersion.dialect(),
              -1,
              "%s, %s %s".formatted(fault.kind(), dialectVersion.version(), correlationId),
              null,
              null);

  private GivenCall() {}

  /** The handlers of commands about calls. */
  public static CallCommandHandlers handlers(RulesByHash rulesByHash, CallQuotas callQuotas) {
    return handlers(rulesByHash, callQuotas, DIGESTS);
  }

  /** The same with other digests. */
  public static CallCommandHandlers handlers(
      RulesByHash rulesByHash, CallQuotas callQuotas, ContentDigests contentDigests) {
    return new CallCommandHandlers(
        rulesByHash,
        new GateChain(() -> 0),
        INSPECTORS,
        INSPECTORS,
        _ -> {},
        callQuotas,
        recorders(contentDigests),
        contentDigests,
        TRANSLATOR,
        CLOCK);
  }

  /** A decider of received calls, which inspects those for a candidate in the same way. */
  public static ReceiveDecider receiveDecider(
      InspectorChain inspectorChain, PayloadRecorders payloadRecorders, InstantSource clock) {
    return new ReceiveDecider(
        new GateChain(() -> 0),
        inspectorChain,
        inspectorChain,
        payloadRecorders,
        DIGESTS,
        TRANSLATOR,
        clock);
  }

  public static PayloadRecorders recorders(ContentDigests contentDigests) {
    return (rules, owner) ->
        new PayloadRecorder(contentDigests, owner, Scrubber.BUILT_IN, rules.recording());
  }

  /** Recorders whose rules of recording are always these. */
  public static PayloadRecorders recorders(RecordRules recordRules) {
    return (_, owner) -> new PayloadRecorder(DIGESTS, owner, Scrubber.BUILT_IN, recordRules);
  }

  /** The error response of {@link #TRANSLATOR} to a fault of a call given here. */
  public static ErrorResponse errorResponse(Fault fault) {
    return TRANSLATOR.translate(fault, DIALECT_VERSION, "c-1");
  }

  public static Intent tool(String name) {
    return new Intent.Act(name, GateInput.TargetKind.TOOL);
  }

  /** A call that acts on a tool with {@link #ARGUMENTS}. */
  public static ReceiveCall call(String tool, Rules rules) {
    return call(tool(tool), "1", rules);
  }

  public static ReceiveCall call(Intent intent, @Nullable String rpcId, Rules rules) {
    return new ReceiveCall(
        CALL,
        "c-1",
        "trace",
        DIALECT_VERSION,
        Transport.HTTP,
        NOON,
        "tools/call",
        rpcId,
        ADA,
        intent,
        """
        {"name":"x","arguments":{"a":1}}\
        """,
        ARGUMENTS,
        null,
        rules.hash(),
        null);
  }

  /** The same call with other arguments. */
  public static ReceiveCall withArguments(@Nullable String arguments, ReceiveCall call) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.dialectVersion(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        call.intent(),
        arguments == null ? null : "{\"arguments\":%s}".formatted(arguments),
        arguments,
        call.deferral(),
        call.rulesHash(),
        call.treeTaskId());
  }

  /** The same call as a run of a task of a tree. */
  public static ReceiveCall ofTask(String treeTaskId, ReceiveCall call) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.dialectVersion(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        call.intent(),
        call.params(),
        call.arguments(),
        call.deferral(),
        call.rulesHash(),
        treeTaskId);
  }

  /** The same call of a caller that can get the outcome later. */
  public static ReceiveCall withDeferral(Deferral deferral, ReceiveCall call) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.dialectVersion(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        call.intent(),
        call.params(),
        call.arguments(),
        deferral,
        call.rulesHash(),
        call.treeTaskId());
  }

  /** A held call; a task when {@code taskId} is present. */
  public static HeldCall heldCall(
      ReceiveCall call,
      GateInput gateInput,
      @Nullable String taskId,
      ApprovalWorkflow approvalWorkflow,
      Digest bound,
      List<Ruling> rulings,
      Instant deadline,
      @Nullable Instant heldUntil) {
    return new HeldCall(
        call,
        gateInput,
        new ApprovalRequested(
            call.callId(),
            call.callId(),
            taskId,
            approvalWorkflow.name(),
            approvalWorkflow.destination(),
            bound,
            NOON,
            deadline,
            heldUntil,
            approvalWorkflow.onTimeout(),
            call.rulesHash(),
            rulings,
            GateChain.LOGIC_VERSION,
            null));
  }

  /** The same rules with every inspector. */
  public static Rules withInspectors(Rules rules) {
    return new Rules(
        rules.hash(),
        rules.sources(),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        List.copyOf(InspectorRegistry.NAMES),
        rules.principals(),
        rules.operators(),
        rules.webhooks(),
        rules.redaction(),
        rules.recording(),
        rules.limits());
  }

  /** The fault by which the inspectors refuse a call to a tool with {@link #SECRET_ARGUMENTS}. */
  public static Fault inspectorFault(String tool, Source source) {
    GateInput gateInput =
        new GateInput(ADA, "tools/call", tool, GateInput.TargetKind.TOOL, SECRET_ARGUMENTS, NOON);
    return INSPECTORS
        .inspect(gateInput, source, withInspectors(GivenSources.rules(List.of(source))))
        .orElseThrow();
  }

  /** The input of the gates for a call to a tool. */
  public static GateInput gateInput(String tool) {
    return new GateInput(ADA, "tools/call", tool, GateInput.TargetKind.TOOL, ARGUMENTS, NOON);
  }

  /** The record of the call's receipt. */
  public static CallReceived received(
      ReceiveCall call, @Nullable String source, @Nullable String target) {
    return new CallReceived(
        CALL,
        "c-1",
        "trace",
        Dialect.MCP,
        "2025-11-25",
        Transport.HTTP,
        NOON,
        "tools/call",
        call.rpcId(),
        ADA,
        source,
        target,
        null,
        call.arguments() == null ? null : RECORDER.keep(call.arguments()),
        call.params() == null ? null : RECORDER.original(call.params()),
        call.rulesHash());
  }
}
