package gatebook.command;

import gatebook.command.call.Deferral;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.HeldCall;
import gatebook.command.call.Intent;
import gatebook.command.call.ReceiveCall;
import gatebook.command.gate.GateInput;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.inspect.InspectorRegistry;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Rules;
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
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call to decide about, and who decides it with. */
public final class GivenCall {

  public static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  public static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  public static final Principal ADA = new Principal("ada", List.of("dev"), Map.of("team", "red"));
  public static final DialectVersion TONGUE = new DialectVersion(Dialect.MCP, "2025-11-25");
  public static final String ARGUMENTS = "{\"a\":1}";

  /** Whatever is decided took so long. */
  public static final long TOOK_MILLIS = 7;

  public static final InstantSource CLOCK = InstantSource.fixed(NOON.plusMillis(TOOK_MILLIS));
  public static final PayloadRecorder KEEPER =
      new PayloadRecorder(new byte[PayloadRecorder.KEY_BYTES]);
  public static final PayloadRecorders KEEPERS = _ -> KEEPER;

  public static final InspectorChain INSPECTIONS = new InspectorChain(_ -> Scrubber.BUILT_IN);

  /** Arguments that the inspector for secrets refuses. */
  public static final String SECRET_ARGUMENTS =
      "{\"key\":\"ghp_%s\"}".formatted("a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");

  /** Tells what it was asked to tell, to whom. */
  public static final FaultTranslator TELLING =
      (fault, dialectVersion, correlationId) ->
          new ErrorResponse(
              dialectVersion.dialect(),
              -1,
              "%s, %s %s".formatted(fault.kind(), dialectVersion.version(), correlationId),
              null,
              null);

  private GivenCall() {}

  /** What is told by {@link #TELLING} of a fault in a call given here. */
  public static ErrorResponse told(Fault fault) {
    return TELLING.tell(fault, TONGUE, "c-1");
  }

  public static Intent tool(String name) {
    return new Intent.Act(name, GateInput.On.TOOL);
  }

  /** To act on a tool with {@link #ARGUMENTS}. */
  public static ReceiveCall call(String tool, Rules rules) {
    return call(tool(tool), "1", rules);
  }

  public static ReceiveCall call(Intent intent, @Nullable String rpcId, Rules rules) {
    return new ReceiveCall(
        CALL,
        "c-1",
        "trace",
        TONGUE,
        Transport.HTTP,
        NOON,
        "tools/call",
        rpcId,
        ADA,
        intent,
        "{\"name\":\"x\",\"arguments\":{\"a\":1}}",
        ARGUMENTS,
        null,
        rules);
  }

  /** The same call with other arguments. */
  public static ReceiveCall with(@Nullable String arguments, ReceiveCall call) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.tongue(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        call.aim(),
        arguments == null ? null : "{\"arguments\":%s}".formatted(arguments),
        arguments,
        call.deferral(),
        call.rules());
  }

  /** The same call of somebody who can come back. */
  public static ReceiveCall returning(Deferral deferral, ReceiveCall call) {
    return new ReceiveCall(
        call.callId(),
        call.correlationId(),
        call.traceId(),
        call.tongue(),
        call.transport(),
        call.receivedAt(),
        call.method(),
        call.rpcId(),
        call.principal(),
        call.aim(),
        call.params(),
        call.arguments(),
        deferral,
        call.rules());
  }

  /** A call about which a person is asked; whose caller comes back when {@code taskId} is there. */
  public static HeldCall held(
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
            call.rules().hash(),
            rulings));
  }

  /** The same rules, and every inspector there is. */
  public static Rules inspecting(Rules rules) {
    return new Rules(
        rules.hash(),
        rules.sources(),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        List.copyOf(InspectorRegistry.NAMES),
        rules.principals(),
        rules.operators(),
        rules.redaction(),
        rules.keeping(),
        rules.limits());
  }

  /** What the inspectors say of a call to a tool with {@link #SECRET_ARGUMENTS}. */
  public static Fault inspected(String tool, Source source) {
    GateInput gateInput =
        new GateInput(ADA, "tools/call", tool, GateInput.On.TOOL, SECRET_ARGUMENTS, NOON);
    return INSPECTIONS
        .of(gateInput, source, inspecting(Given.rules(List.of(source))))
        .orElseThrow();
  }

  /** What gates know of a call to a tool. */
  public static GateInput asked(String tool) {
    return new GateInput(ADA, "tools/call", tool, GateInput.On.TOOL, ARGUMENTS, NOON);
  }

  /** What is recorded of a call's coming in. */
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
        call.arguments() == null ? null : KEEPER.keep(call.arguments()),
        call.params() == null ? null : KEEPER.seal(CALL, call.params()),
        call.rules().hash());
  }
}
