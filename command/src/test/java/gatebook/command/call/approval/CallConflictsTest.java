package gatebook.command.call.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gatebook.command.CommandNodes;
import gatebook.command.CommandNodes.Storage;
import gatebook.command.GivenCall;
import gatebook.command.GivenSources;
import gatebook.command.call.CallEntity;
import gatebook.command.call.CallQuotas;
import gatebook.command.call.CallState;
import gatebook.command.call.Decision;
import gatebook.command.call.ReceiveOutcome;
import gatebook.command.call.approval.DecideApproval.Outcome;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.CallAbandoned;
import gatebook.events.CallForwarded;
import gatebook.events.Event;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.Exposure;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.Journals;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.EventVocabulary;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.axonframework.eventsourcing.eventstore.AppendEventsTransactionRejectedException;
import org.axonframework.messaging.commandhandling.annotation.CommandHandler;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.modelling.annotation.InjectEntity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
final class CallConflictsTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final UUID CALL = new UUID(0x0192_aaaa_0000_7000L, 1);
  private static final int ROUNDS = 20;

  /** How often a command is decided that conflicts each time. */
  private static final int ATTEMPTS_MAX = 8;

  @TempDir private Path directory;

  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final CommandNodes commandNodes = new CommandNodes();

  @AfterEach
  void close() {
    commandNodes.close();
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyConcurrentDecisionsIsStored(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes =
        journals.stream().map(it -> gateway(it, ApprovalDecider::decide)).toList();
    for (int round = 0; round < ROUNDS; round++) {
      UUID call = new UUID(CALL.getMostSignificantBits(), round);
      store(journals.getFirst(), request(call));

      List<Outcome> outcomes =
          IntStream.range(0, 8)
              .mapToObj(i -> decide(nodes.get(i % nodes.size()), call, i % 2 == 0))
              .toList()
              .stream()
              .map(CompletableFuture::join)
              .filter(outcome -> !(outcome instanceof Outcome.NoSuchApproval)) // not seen here yet
              .toList();

      List<Outcome> first =
          outcomes.stream().filter(it -> !(it instanceof Outcome.AlreadyDecided)).toList();
      assertThat(first).hasSize(1);
      assertThat(outcomes.stream().filter(Outcome.AlreadyDecided.class::isInstance))
          .containsOnly(
              new Outcome.AlreadyDecided(
                  first.getFirst() instanceof Outcome.Granted(), "ada", NOON));
      assertThat(stored(journals.getFirst(), call)).hasSize(2);
    }
  }

  @Test
  void concurrentDecisionsSeeEveryEvent() {
    Journal journal = commandNodes.journal(directory);
    store(journal, request(CALL));
    for (int attempt = 1; attempt <= 20; attempt++) {
      store(journal, new CallForwarded(CALL, attempt, "tools", "here", 1_000, null));
    }
    Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
    CommandGateway node =
        gateway(
            journal,
            (_, state) -> {
              attempts.add(state.attempts());
              return new Decision<>(List.of(), new Outcome.NoSuchApproval());
            });

    IntStream.range(0, 4_000)
        .mapToObj(_ -> decide(node, CALL, true))
        .toList()
        .forEach(CompletableFuture::join);

    assertThat(attempts).hasSize(4_000).containsOnly(20);
  }

  @Test
  void aConflictingEventIsTakenIntoAccount() {
    Journal journal = commandNodes.journal(directory);
    store(journal, request(CALL));
    AtomicInteger decisions = new AtomicInteger();
    CommandGateway node =
        gateway(
            journal,
            (command, state) -> {
              Decision<Outcome> decision = ApprovalDecider.decide(command, state);
              if (decisions.incrementAndGet() == 1) {
                store(journal, new CallAbandoned(CALL, CallAbandoned.Cause.DISCONNECTED, false, 1));
              }
              return decision;
            });

    assertThat(decide(node, CALL, true).join())
        .isEqualTo(new Outcome.CallerGone(CallState.End.ABANDONED));
    assertThat(stored(journal, CALL))
        .extracting(Entry::name)
        .containsExactly("gatebook.ApprovalRequested", "gatebook.CallAbandoned");
  }

  @Test
  void eventsOfOtherCallsAreNoConflict() {
    Journal journal = commandNodes.journal(directory);
    store(journal, request(CALL));
    AtomicInteger decisions = new AtomicInteger();
    CommandGateway node =
        gateway(
            journal,
            (command, state) -> {
              decisions.incrementAndGet();
              store(journal, request(UUID.randomUUID()));
              return ApprovalDecider.decide(command, state);
            });

    assertThat(decide(node, CALL, true).join()).isEqualTo(new Outcome.Granted());
    assertThat(decisions).hasValue(1);
  }

  @Test
  void aCommandThatAlwaysConflictsFailsAndStoresNothing() {
    Journal journal = commandNodes.journal(directory);
    store(journal, request(CALL));
    AtomicInteger decisions = new AtomicInteger();
    CommandGateway node =
        gateway(
            journal,
            (command, state) -> {
              store(
                  journal,
                  new CallForwarded(CALL, decisions.incrementAndGet(), "s", "here", 1, null));
              return ApprovalDecider.decide(command, state);
            });

    assertThatThrownBy(() -> decide(node, CALL, true).join())
        .hasRootCauseInstanceOf(AppendEventsTransactionRejectedException.class);
    assertThat(decisions).hasValue(ATTEMPTS_MAX);
    assertThat(stored(journal, CALL)).extracting(Entry::name).doesNotContain(GRANTED);
  }

  @Test
  void aRefusalOfTheJournalReachesTheSender() {
    Journal journal = commandNodes.journal(directory);
    store(journal, request(CALL));
    CommandGateway node =
        gateway(
            journal,
            (command, state) -> {
              Thread.ofVirtual().start(journal::close); // close waits for this thread too
              while (!(journal.state() instanceof JournalState.Closed)) {
                Thread.onSpinWait();
              }
              return ApprovalDecider.decide(command, state);
            });

    assertThatThrownBy(() -> decide(node, CALL, true).join())
        .rootCause()
        .satisfies(failure ->
            assertThat(AppendRefused.refusal(failure))
                .contains(new Append.Closed("the journal is closed")));
  }

  @Test
  void slotOfAnUnrecordedCallIsReleased() {
    Journal journal = commandNodes.journal(directory);
    Rules rules =
        GivenSources.rules(
            List.of(GivenSources.source("s", "", GivenSources.expose(Exposure.ALL))),
            GivenSources.rule(2, "deploy", Action.APPROVE, "ops"));
    RulesByHash rulesByHash = new RulesByHash();
    rulesByHash.add(rules);
    List<String> slots = new ArrayList<>();
    CallQuotas callQuotas =
        new CallQuotas() {
          @Override
          public QuotaResult take(QuotaRequest request) {
            slots.add("taken");
            return QuotaResult.TAKEN;
          }

          @Override
          public void giveBack(UUID call) {
            slots.add("released");
          }
        };
    CommandGateway node = commandNodes.start(journal, GivenCall.handlers(rulesByHash, callQuotas));
    journal.close();

    try {
      assertThatThrownBy(
              () -> node.send(GivenCall.call("deploy", rules), ReceiveOutcome.class).join())
          .hasRootCauseInstanceOf(AppendRefused.class);
      assertThat(slots).containsExactly("taken", "released");
    } finally {
      Reference.reachabilityFence(rules);
    }
  }

  private static final String GRANTED =
      new EventVocabulary().typeOf(ApprovalGranted.class).orElseThrow().name();

  /** Handles one command, on the state of its call. */
  record ScriptedHandler(BiFunction<DecideApproval, CallState, Decision<Outcome>> decisions) {

    @CommandHandler
    Outcome handle(DecideApproval command, @InjectEntity CallEntity call, EventAppender events) {
      return decisions.apply(command, call.state()).appendTo(events);
    }
  }

  private CommandGateway gateway(
      Journal journal, BiFunction<DecideApproval, CallState, Decision<Outcome>> decisions) {
    return commandNodes.start(journal, new ScriptedHandler(decisions));
  }

  private static CompletableFuture<Outcome> decide(CommandGateway node, UUID call, boolean yes) {
    return node.send(new DecideApproval(call, "ada", yes, null, NOON), Outcome.class);
  }

  private void store(Journal journal, Event event) {
    assertThat(Journals.append(journal, eventVocabulary.draft(event, NOON)))
        .isInstanceOf(Append.Stored.class);
  }

  private static List<Entry> stored(Journal journal, UUID call) {
    return journal.read(0, 1_000).stream()
        .filter(entry -> entry.tagSet().stream().anyMatch(it -> it.value().equals(call.toString())))
        .toList();
  }

  private static ApprovalRequested request(UUID call) {
    return new ApprovalRequested(
        call,
        new UUID(CALL.getMostSignificantBits(), ~call.getLeastSignificantBits()),
        null,
        "ops",
        "operator",
        new Digest("k1", Bytes.of(new byte[32])),
        NOON,
        NOON.plusSeconds(600),
        null,
        OnTimeout.DENY,
        "sha256:aa",
        List.of());
  }
}
