package gatebook.api.node;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.node.disk.DiskReserve;
import gatebook.api.rules.RulesFiles;
import gatebook.command.keep.ContentDigests;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Rules;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.axon.JournalStorageEngine;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * A node without ports, for a process that reaches its callers another way. Processes with one data
 * directory join each other: the first owns the journal, the others decide their calls themselves
 * and record them through it.
 */
public final class JoinedNode implements AutoCloseable {

  private final Membership membership;
  private final GatewayWiring wiring;
  private final ExecutorService mayBlock;

  /** The result of a start. */
  public sealed interface Start {
    record Serving(JoinedNode node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  private JoinedNode(Membership membership, GatewayWiring wiring, ExecutorService mayBlock) {
    this.membership = membership;
    this.wiring = wiring;
    this.mayBlock = mayBlock;
  }

  /**
   * Starts a node; returns when it can serve calls.
   *
   * @param rules the configuration file; empty for the sample rules
   * @param daemon the methods of the daemon dialect
   */
  public static Start start(Path data, Optional<Path> rules, DaemonMethods daemon) {
    Preload.start(RulesFiles.of(rules, System.getenv()));
    return start(
        data,
        rules,
        base -> GatewayWiring.open(base, daemon, RulesFiles.of(rules, System.getenv())));
  }

  /**
   * Starts a node that wraps one server; returns when it can serve calls.
   *
   * @param config the file with the section {@code journal}; empty for the default journal
   * @param rules the rules that decide calls
   * @param server the routing of calls to the server under these rules
   */
  public static Start start(
      Path data, Optional<Path> config, RulesFile rules, Function<Rules, RoutingSnapshot> server) {
    return start(data, config, base -> GatewayWiring.openWrapped(base, server, rules));
  }

  private static Start start(
      Path data, Optional<Path> config, Function<GatewayBase, GatewayWiring> opener) {
    ExecutorService mayBlock = Executors.newVirtualThreadPerTaskExecutor();
    return switch (Membership.join(data, config, mayBlock)) {
      case Membership.Joining.Refused(var sentence) -> new Start.Refused(sentence);
      case Membership.Joining.Joined(var membership) ->
          switch (NodeKeys.openOld(data, System.getenv())) {
            case NodeKeys.Opening.Refused(var sentence) -> {
              membership.close();
              yield new Start.Refused(sentence);
            }
            case NodeKeys.Opening.Opened(var oldKeys) ->
                new Start.Serving(
                    open(
                        membership,
                        opener,
                        oldKeys,
                        JournalWiring.diskReserve(data, config),
                        mayBlock));
          };
    };
  }

  private static JoinedNode open(
      Membership membership,
      Function<GatewayBase, GatewayWiring> opener,
      OldKeys oldKeys,
      DiskReserve diskReserve,
      ExecutorService mayBlock) {
    GatewayWiring wiring =
        opener.apply(
            GatewayBase.withoutPorts(
                axon ->
                    OpenNodeJournal.store(
                        eventMessages ->
                            new JournalStorageEngine(membership.journal(), eventMessages),
                        new EventVocabulary(membership.contentKeys(), oldKeys),
                        axon),
                mayBlock,
                membership.journal(),
                new ContentDigests(membership.contentKeys(), oldKeys),
                diskReserve,
                new SimpleMeterRegistry()));
    membership.share(
        wiring.operatorServices(),
        wiring.orphanHandler(),
        () -> wiring.snapshot().rules().limits());
    return new JoinedNode(membership, wiring, mayBlock);
  }

  public Gateway gateway() {
    return wiring.gateway();
  }

  /** The limits of the rules in force. */
  public GatewayLimits limits() {
    return wiring.snapshot().rules().limits();
  }

  /** Whether this process owns the journal. */
  public boolean isOwner() {
    return membership.isOwner();
  }

  /**
   * Answers a JSON-RPC message of an operator with this token. Empty when the message needs no
   * response, or while no process owns the journal. May block.
   */
  public Optional<byte[]> answerOperator(String token, byte[] message) {
    try {
      return membership.answerOperator(wiring.operatorServices(), token, message);
    } catch (JournalUnreachable _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    wiring.close();
    membership.close();
    mayBlock.shutdown();
  }
}
