package gatebook.api.gateway;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.message.ToolCaller;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.gateway.report.ErrorReporter;
import gatebook.api.upstream.Retries;
import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.call.CallIdGenerator;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.FaultTranslator;
import gatebook.command.rules.Source;
import gatebook.events.call.Dialect;
import gatebook.events.fault.Fault;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * The core of a gateway, which runs calls. A dialect whose requests lead to calls of the gateway's
 * own is made with the core, and the gateway with the dialects.
 */
public final class GatewayCore {
  final CallIdGenerator callIds;
  final Services services;
  final BackgroundCalls backgroundCalls;

  /** The parts that all pipelines share. */
  record Services(
      CommandSender commandSender,
      QuerySender querySender,
      Supplier<RoutingSnapshot> routingSnapshots,
      Retries retries,
      BiFunction<Source, ForeignError, ? extends Fault> upstreamErrors,
      NodeQuotas quotas,
      SignedOnOwners signedOnOwners,
      HeldCalls heldCalls,
      OutageRecorder outageRecorder,
      RefusalThrottle refusalThrottle,
      FaultTranslator faultTranslator,
      ErrorReporter errorReporter,
      RecordedTaskChanges recordedTaskChanges,
      CallsInFlight callsInFlight,
      InstantSource clock,
      ScheduledExecutorService timer) {}

  /**
   * The core for calls that act on something.
   *
   * @param handlers the handler of such calls, for each dialect that has them
   * @param quotas from which the handlers of these commands take
   * @param upstreamErrors maps a source's own error to a fault
   * @param recordedTaskChanges stop calls that run here without their callers
   */
  public GatewayCore(
      CommandGateway commands,
      QuerySender querySender,
      List<DialectHandler> handlers,
      Supplier<RoutingSnapshot> routingSnapshots,
      NodeQuotas quotas,
      BiFunction<Source, ForeignError, ? extends Fault> upstreamErrors,
      FaultTranslator faultTranslator,
      ErrorReporter errorReporter,
      RecordedTaskChanges recordedTaskChanges,
      InstantSource clock) {
    CommandSender commandSender = new CommandSender(commands);
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("gateway-timer").daemon().factory());
    this.callIds = new CallIdGenerator(clock);
    this.services =
        new Services(
            commandSender,
            querySender,
            routingSnapshots,
            new Retries(timer),
            upstreamErrors,
            quotas,
            new SignedOnOwners(),
            new HeldCalls(
                commandSender, () -> routingSnapshots.get().rules(), clock, timer, quotas),
            new OutageRecorder(commandSender, clock),
            new RefusalThrottle(
                commandSender, clock, (fault, dialect) -> code(faultTranslator, fault, dialect)),
            faultTranslator,
            errorReporter,
            recordedTaskChanges,
            new CallsInFlight(),
            clock,
            timer);
    this.backgroundCalls = new BackgroundCalls(services, Gateway.byDialect(handlers));
  }

  private static int code(FaultTranslator faultTranslator, Fault fault, Dialect dialect) {
    return faultTranslator.translate(fault, new DialectVersion(dialect, null), "").code();
  }

  /**
   * The calls that the gateway makes itself.
   *
   * @param handler of these calls
   */
  public ToolCaller ownCalls(DialectHandler handler) {
    return new OwnCalls(this, handler);
  }
}
