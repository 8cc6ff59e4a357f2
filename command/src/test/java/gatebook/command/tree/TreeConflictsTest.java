package gatebook.command.tree;

import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static gatebook.command.GivenTree.OWNER;
import static gatebook.command.GivenTree.RULES;
import static gatebook.command.GivenTree.TREE;
import static gatebook.command.GivenTree.cancel;
import static gatebook.command.GivenTree.change;
import static gatebook.command.GivenTree.complete;
import static gatebook.command.GivenTree.createTree;
import static gatebook.command.GivenTree.draft;
import static gatebook.command.GivenTree.root;
import static gatebook.command.GivenTree.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.command.CommandNodes;
import gatebook.command.CommandNodes.Storage;
import gatebook.command.GivenTree;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.StartTreeTask.Outcome;
import gatebook.command.tree.execution.EndExecution;
import gatebook.command.tree.execution.StartExecution;
import gatebook.command.tree.handler.TreeCommandHandlers;
import gatebook.events.fault.TaskFault;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands about trees of tasks at the same time, on journals that are stored. */
@Timeout(300)
final class TreeConflictsTest {
  private static final int ROUNDS = 10;
  private static final int SENDERS = 8;

  /** The rules of the other tests, with room for larger trees. */
  private static final Rules LARGE = LimitsOfTrees.rules(20_000, 256);

  @TempDir private Path directory;

  private final CommandNodes commandNodes = new CommandNodes();

  @AfterEach
  void close() {
    commandNodes.close();
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyConcurrentCreationsIsStored(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String shared = "shared-" + round;
      int number = round;

      List<TreeOutcome> outcomes =
          atOnce(
              nodes,
              (node, i) ->
                  node.send(
                      created(new UUID(number, i), root("root-%d-%d".formatted(number, i)), shared),
                      TreeOutcome.class));

      assertOneIsDone(outcomes);
      assertThat(outcomes)
          .filteredOn(TreeOutcome.Refused.class::isInstance)
          .allSatisfy(refused ->
              assertThat(((TreeOutcome.Refused) refused).faults())
                  .singleElement()
                  .isInstanceOfSatisfying(
                      TaskFault.InvalidTaskSchema.class,
                      fault -> assertThat(fault.taskId()).isEqualTo(shared)));
    }
    assertThat(stored(journals.getFirst())).hasSize(2 * ROUNDS);
  }

  private static CreateTree created(UUID treeId, TaskDraft root, String shared) {
    return new CreateTree(
        treeId,
        OWNER,
        List.of(root, draft(shared, root.id())),
        CALL,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyConcurrentExecutionsStarts(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    nodes.getFirst().send(createTree(root("a")), TreeOutcome.class).join();
    awaitHead(journals);
    for (int round = 0; round < ROUNDS; round++) {
      UUID[] executions = Stream.generate(UUID::randomUUID).limit(SENDERS).toArray(UUID[]::new);

      List<TreeOutcome> outcomes =
          atOnce(nodes, (node, i) -> node.send(execute(executions[i]), TreeOutcome.class));

      assertOneIsDone(outcomes);
      assertThat(outcomes)
          .filteredOn(TreeOutcome.BetweenTasks.class::isInstance)
          .hasSize(SENDERS - 1)
          .containsOnly(new TreeOutcome.BetweenTasks(new TaskFault.TaskAlreadyExecuting("a")));
      for (UUID execution : executions) {
        nodes.getFirst().send(end(TREE, execution, 0), Boolean.class).join();
      }
      awaitHead(journals);
    }
  }

  private static StartExecution execute(UUID execution) {
    return execute(TREE, "a", execution);
  }

  private static StartExecution execute(UUID tree, String id, UUID execution) {
    return new StartExecution(
        tree,
        OWNER,
        id,
        execution,
        false,
        null,
        CALL,
        GivenTree.CORRELATION,
        NOON,
        RULES.hash(),
        ListedTools.NONE);
  }

  private static EndExecution end(UUID tree, UUID execution, long seen) {
    return new EndExecution(tree, execution, TreeStatus.COMPLETED, List.of(), seen, NOON);
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyConcurrentStartsOfATaskWins(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    nodes.getFirst().send(createTree(root("a")), TreeOutcome.class).join();
    awaitHead(journals);

    List<Outcome> outcomes = atOnce(nodes, (node, _) -> node.send(start("a"), Outcome.class));

    assertThat(outcomes).containsOnlyOnce(new Outcome.Started(1));
    assertThat(outcomes).filteredOn(new Outcome.NotPending()::equals).hasSize(SENDERS - 1);
  }

  @ParameterizedTest
  @EnumSource
  void executionKnowsEveryChangeThatIsRecordedBeforeItsEnd(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String id = "a" + round;
      UUID tree = created(nodes.getFirst(), round, root(id));
      UUID execution = new UUID(4, round);
      nodes.getFirst().send(execute(tree, id, execution), TreeOutcome.class).join();
      awaitHead(journals);
      long seen = journals.getFirst().head();

      CompletableFuture<TreeOutcome> changed =
          nodes.getLast().send(inTree(tree, new Change.UpdateTask(root(id))), TreeOutcome.class);
      CompletableFuture<Boolean> ended =
          nodes.getFirst().send(end(tree, execution, seen), Boolean.class);

      assertThat(changed.join()).isEqualTo(new TreeOutcome.Done());
      boolean endedFirst = ended.join();
      awaitHead(journals);
      List<String> events =
          stored(journals.getFirst()).stream()
              .filter(entry -> entry.position() > seen)
              .map(Entry::name)
              .toList();
      String updated = "gatebook.TreeTaskUpdated";
      String executionEnded = "gatebook.TreeExecutionEnded";
      assertThat(events)
          .isEqualTo(endedFirst ? List.of(executionEnded, updated) : List.of(updated));
      assertThat(
              nodes
                  .getFirst()
                  .send(end(tree, execution, journals.getFirst().head()), Boolean.class)
                  .join())
          .isTrue();
    }
  }

  @Test
  void cancellationAndCompletionAtOnceEndATaskOnce() {
    CommandGateway node = gateway(commandNodes.journal(directory));
    for (int round = 0; round < ROUNDS; round++) {
      String id = "a" + round;
      UUID tree = new UUID(2, round);
      node.send(
              new CreateTree(
                  tree, OWNER, List.of(root(id)), CALL, NOON, RULES.hash(), ListedTools.NONE),
              TreeOutcome.class)
          .join();
      node.send(start(id), Outcome.class).join();

      CompletableFuture<Boolean> settled = node.send(complete(id, 1), Boolean.class);
      CompletableFuture<TreeOutcome> cancelled = node.send(cancel(id), TreeOutcome.class);

      assertThat(settled.join()).isNotEqualTo(cancelled.join() instanceof TreeOutcome.Done);
    }
  }

  @Test
  void transitionsOfDifferentTasksAreNoConflict() {
    Journal journal = commandNodes.journal(directory);
    CommandGateway node = gateway(journal);
    TaskDraft[] drafts =
        IntStream.range(0, 500)
            .mapToObj(i -> i == 0 ? root("0") : draft("" + i, "0"))
            .toArray(TaskDraft[]::new);
    node.send(createTree(drafts), TreeOutcome.class).join();

    List<CompletableFuture<Outcome>> started =
        Stream.of(drafts).map(draft -> node.send(start(draft.id()), Outcome.class)).toList();

    assertThat(started).extracting(CompletableFuture::join).containsOnly(new Outcome.Started(1));
    assertThat(stored(journal)).hasSize(1_000);
  }

  @ParameterizedTest
  @EnumSource
  void tasksAreAddedWhileOthersStartAndEnd(Storage storage) throws Exception {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    List<TaskDraft> drafts = below("0", 2_000);
    nodes.getFirst().send(createTree(drafts.toArray(TaskDraft[]::new)), TreeOutcome.class).join();
    awaitHead(journals);
    AtomicBoolean added = new AtomicBoolean();
    AtomicInteger next = new AtomicInteger();

    List<TreeOutcome> outcomes;
    int ran;
    try (ExecutorService runners = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < SENDERS; i++) {
        CommandGateway node = nodes.get(i % nodes.size());
        Future<?> _ = runners.submit(() -> run(node, drafts, next, added));
      }
      try {
        outcomes =
            IntStream.range(0, ROUNDS)
                .mapToObj(i -> nodes.getLast().send(added("new" + i, "0"), TreeOutcome.class))
                .map(CompletableFuture::join)
                .toList();
        ran = next.get();
      } finally {
        added.set(true);
      }
    }

    assertThat(outcomes).hasSize(ROUNDS).containsOnly(new TreeOutcome.Done());
    assertThat(ran).as("tasks that ran meanwhile").isBetween(ROUNDS, drafts.size() - 1);
  }

  private static List<TaskDraft> below(String root, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i == 0 ? root(root) : draft("" + i, root))
        .toList();
  }

  private static ChangeTree added(String id, String parentId) {
    return change(new Change.AddTasks(List.of(draft(id, parentId))));
  }

  private static void run(
      CommandGateway node, List<TaskDraft> drafts, AtomicInteger next, AtomicBoolean enough) {
    for (int i = next.getAndIncrement();
        !enough.get() && i < drafts.size();
        i = next.getAndIncrement()) {
      node.send(start("" + i), Outcome.class).join();
      node.send(complete("" + i, 1), Boolean.class).join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneOfTwoUpdatesThatCloseACycleIsStored(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String id = "-" + round;
      UUID tree = created(nodes.getFirst(), round, root(id), draft("b" + id, id));
      awaitHead(journals);
      ChangeTree[] changes = {
        inTree(tree, new Change.UpdateTask(root(id, "b" + id))),
        inTree(tree, new Change.UpdateTask(draft("b" + id, id, id)))
      };

      List<TreeOutcome> outcomes =
          atOnce(nodes, 2, (node, i) -> node.send(changes[i], TreeOutcome.class));

      assertOneIsDone(outcomes);
      assertThat(outcomes)
          .filteredOn(TreeOutcome.Refused.class::isInstance)
          .allSatisfy(refused ->
              assertThat(((TreeOutcome.Refused) refused).faults())
                  .singleElement()
                  .isInstanceOf(TaskFault.CircularDependency.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void parentIsDeletedOrGetsAChild(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String id = "-" + round;
      UUID tree = created(nodes.getFirst(), round, root(id), draft("b" + id, id));
      awaitHead(journals);
      ChangeTree[] changes = {
        inTree(tree, new Change.DeleteTask("b" + id)),
        inTree(tree, new Change.AddTasks(List.of(draft("c" + id, "b" + id))))
      };

      assertOneIsDone(atOnce(nodes, 2, (node, i) -> node.send(changes[i], TreeOutcome.class)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void taskIsDeletedOrStarted(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String id = "a" + round;
      UUID tree = created(nodes.getFirst(), round, root(id));
      awaitHead(journals);
      ChangeTree delete = inTree(tree, new Change.DeleteTask(id));

      CompletableFuture<TreeOutcome> deleted = nodes.getFirst().send(delete, TreeOutcome.class);
      CompletableFuture<Outcome> started = nodes.getLast().send(start(id), Outcome.class);

      assertThat(deleted.join() instanceof TreeOutcome.Done)
          .isNotEqualTo(started.join() instanceof Outcome.Started);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noTaskIsUpdatedAfterItStarted(Storage storage) {
    List<Journal> journals = commandNodes.journals(storage, directory);
    List<CommandGateway> nodes = gateways(journals);
    for (int round = 0; round < ROUNDS; round++) {
      String id = "a" + round;
      UUID tree = created(nodes.getFirst(), round, root(id));
      awaitHead(journals);
      ChangeTree update = inTree(tree, new Change.UpdateTask(root(id)));

      CompletableFuture<TreeOutcome> updated = nodes.getFirst().send(update, TreeOutcome.class);
      CompletableFuture<Outcome> started = nodes.getLast().send(start(id), Outcome.class);

      assertThat(started.join()).isEqualTo(new Outcome.Started(1));
      String last = updated.join() instanceof TreeOutcome.Done ? "TreeTaskUpdated" : "Created";
      awaitHead(journals);
      List<String> events =
          stored(journals.getFirst()).stream().map(Entry::name).toList().reversed();
      assertThat(events).startsWith("gatebook.TreeTaskStarted");
      assertThat(events.get(1)).endsWith(last);
    }
  }

  private static UUID created(CommandGateway node, int number, TaskDraft... drafts) {
    UUID tree = new UUID(3, number);
    node.send(
            new CreateTree(
                tree, OWNER, List.of(drafts), CALL, NOON, RULES.hash(), ListedTools.NONE),
            TreeOutcome.class)
        .join();
    return tree;
  }

  private static ChangeTree inTree(UUID tree, Change change) {
    return new ChangeTree(tree, OWNER, change, CALL, NOON, RULES.hash(), ListedTools.NONE);
  }

  @Test
  void treeOfTenThousandTasksIsCreatedAndExecuted() {
    CommandGateway node = gateway(commandNodes.journal(directory));
    TaskDraft[] drafts =
        IntStream.range(0, 10_000)
            .mapToObj(i -> i == 0 ? root("0", aggregated()) : draft("" + i, "" + i / 2))
            .toArray(TaskDraft[]::new);
    long begun = System.nanoTime();

    TreeOutcome created = node.send(createTree(drafts), TreeOutcome.class).join();
    TreeOutcome executed = node.send(GivenTree.execute("0"), TreeOutcome.class).join();

    assertThat(List.of(created, executed)).containsOnly(new TreeOutcome.Done());
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void rootDependsOnTenThousandTasksWithLongIds() {
    CommandGateway node = gateway(commandNodes.journals(Storage.POSTGRES, directory).getFirst());

    assertThat(node.send(wide(36, 10_000), TreeOutcome.class).join())
        .isEqualTo(new TreeOutcome.Done());
  }

  @Test
  void acceptedTasksFitIntoTheJournal() {
    CommandGateway node = gateway(commandNodes.journal(directory));

    assertThat(node.send(wide(255, 3_480), TreeOutcome.class).join())
        .isEqualTo(new TreeOutcome.Done());
    assertThat(node.send(wide(255, 3_560), TreeOutcome.class).join())
        .isInstanceOfSatisfying(
            TreeOutcome.Refused.class,
            refused ->
                assertThat(refused.faults())
                    .singleElement()
                    .isInstanceOf(TaskFault.InvalidTaskSchema.class));
  }

  /** Each text is one that is much longer as JSON. */
  private static CreateTree wide(int idChars, int count) {
    List<TaskDependency> dependencies =
        IntStream.range(0, count)
            .mapToObj(i -> "\"%s%d-%d".formatted("x".repeat(idChars - 12), count, 10_000 + i))
            .map(id -> new TaskDependency(id, false))
            .toList();
    String text = "\u0001".repeat(255);
    String inputs = "{\"a\":\"%s\"}".formatted("\\u0001".repeat(40_000));
    List<TaskDraft> drafts = new ArrayList<>();
    drafts.add(
        new TaskDraft(text + count + idChars, null, text, text, 2, dependencies, "{}", inputs));
    dependencies.forEach(it -> drafts.add(draft(it.id(), text + count + idChars)));
    return new CreateTree(
        UUID.randomUUID(), OWNER, drafts, CALL, NOON, LARGE.hash(), ListedTools.NONE);
  }

  private static String[] aggregated() {
    return IntStream.range(1, 10_000).mapToObj(Integer::toString).toArray(String[]::new);
  }

  @Test
  void idsOfAnyLengthAndCharactersAreStored() {
    Journal journal = commandNodes.journal(directory);
    CommandGateway node = gateway(journal);
    String id = "\n\\:\u0000\ud83d\ude00" + "x".repeat(249);
    node.send(createTree(root(id)), TreeOutcome.class).join();

    assertThat(node.send(start(id), Outcome.class).join()).isEqualTo(new Outcome.Started(1));
    assertThat(
            node.send(change(new Change.AddTasks(List.of(draft(id, id)))), TreeOutcome.class)
                .join())
        .isInstanceOf(TreeOutcome.Refused.class);
  }

  private interface Sending<R> {
    CompletableFuture<R> send(CommandGateway node, int number);
  }

  private static <R> List<R> atOnce(List<CommandGateway> nodes, Sending<R> sending) {
    return atOnce(nodes, SENDERS, sending);
  }

  private static <R> List<R> atOnce(List<CommandGateway> nodes, int senders, Sending<R> sending) {
    return IntStream.range(0, senders)
        .mapToObj(i -> sending.send(nodes.get(i % nodes.size()), i))
        .toList()
        .stream()
        .map(CompletableFuture::join)
        .toList();
  }

  private static void assertOneIsDone(List<TreeOutcome> outcomes) {
    assertThat(outcomes).containsOnlyOnce(new TreeOutcome.Done());
  }

  /** A node sees what another one appended a little later. */
  private static void awaitHead(List<Journal> journals) {
    await().until(() -> journals.stream().mapToLong(Journal::head).distinct().count() == 1);
  }

  private List<CommandGateway> gateways(List<Journal> journals) {
    return journals.stream().map(this::gateway).toList();
  }

  private CommandGateway gateway(Journal journal) {
    return commandNodes.start(journal, handlers());
  }

  private static TreeCommandHandlers handlers() {
    return GivenTree.handlers(LARGE);
  }

  private static List<Entry> stored(Journal journal) {
    return journal.read(0, 10_000);
  }
}
