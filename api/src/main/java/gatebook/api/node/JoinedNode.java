package gatebook.api.node;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.gateway.Gateway;
import gatebook.api.rules.ActiveRules;
import gatebook.api.rules.RulesFiles;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.axon.JournalStorageEngine;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;

/**
 * A node without doors, for a process that has its callers by other ways. It shares its data
 * directory with others: the first keeps the journal, the rest decide by themselves and record
 * there.
 */
public final class JoinedNode implements AutoCloseable {

  private final Membership membership;
  private final GatewayWiring border;
  private final ExecutorService mayBlock;

  /** What starting one ends in. */
  public sealed interface Start {
    record Serving(JoinedNode node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  private JoinedNode(Membership membership, GatewayWiring border, ExecutorService mayBlock) {
    this.membership = membership;
    this.border = border;
    this.mayBlock = mayBlock;
  }

  /**
   * Returns when calls can be served.
   *
   * @param rules the configuration file; empty for the sample rules
   * @param daemon what the daemon's dialect asks for here
   */
  public static Start start(Path data, Optional<Path> rules, DaemonMethods daemon) {
    Preload.begin(RulesFiles.of(rules, System.getenv()));
    return start(
        data,
        rules,
        (store, payloadRecorder, mayBlock) ->
            GatewayWiring.open(
                store,
                daemon,
                payloadRecorder,
                new SimpleMeterRegistry(),
                RulesFiles.of(rules, System.getenv()),
                ActiveRules.LOOK_EVERY,
                mayBlock));
  }

  /**
   * The same before one server.
   *
   * @param config the file with the section {@code journal}; empty for the journal as usual
   * @param rules by which is decided
   */
  public static Start start(
      Path data, Optional<Path> config, RulesFile rules, WrappedUpstream wrappedUpstream) {
    return start(
        data,
        config,
        (store, payloadRecorder, mayBlock) ->
            GatewayWiring.open(
                store,
                wrappedUpstream,
                payloadRecorder,
                new SimpleMeterRegistry(),
                rules,
                ActiveRules.LOOK_EVERY,
                mayBlock));
  }

  /** Puts a border on a store that may have to be waited for. */
  @FunctionalInterface
  private interface Wiring {
    GatewayWiring open(
        Function<Configuration, EventStore> store,
        PayloadRecorder payloadRecorder,
        Executor mayBlock);
  }

  private static Start start(Path data, Optional<Path> config, Wiring wiring) {
    ExecutorService mayBlock = Executors.newVirtualThreadPerTaskExecutor();
    return switch (Membership.join(data, config, mayBlock)) {
      case Membership.Joining.Refused(var sentence) -> new Start.Refused(sentence);
      case Membership.Joining.Joined(var membership) ->
          switch (NodeKeys.open(data, System.getenv())) {
            case NodeKeys.Opening.Refused(var sentence) -> {
              membership.close();
              yield new Start.Refused(sentence);
            }
            case NodeKeys.Opening.Opened(var payloadRecorder) ->
                new Start.Serving(decided(membership, wiring, payloadRecorder, mayBlock));
          };
    };
  }

  private static JoinedNode decided(
      Membership membership,
      Wiring wiring,
      PayloadRecorder payloadRecorder,
      ExecutorService mayBlock) {
    GatewayWiring border =
        wiring.open(
            axon ->
                OpenNodeJournal.store(
                    eventMessages -> new JournalStorageEngine(membership.book(), eventMessages),
                    axon),
            payloadRecorder,
            mayBlock);
    membership.share(border.ports(), border.successor(), () -> border.ground().rules().limits());
    return new JoinedNode(membership, border, mayBlock);
  }

  public Gateway border() {
    return border.border();
  }

  /** Those of the rules in force. */
  public GatewayLimits limits() {
    return border.ground().rules().limits();
  }

  /** Whether this process keeps the journal. */
  public boolean isOwner() {
    return membership.isOwner();
  }

  /**
   * What the operators' desk says to a message of whoever shows a token; empty when it wants no
   * answer, or while no process keeps the journal. May block.
   */
  public Optional<byte[]> ask(String token, byte[] message) {
    try {
      return membership.answer(border.ports(), token, message);
    } catch (JournalUnreachable _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    border.close();
    membership.close();
    mayBlock.shutdown();
  }
}
