package gatebook.events.kept;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.AgentTaskCreated;
import gatebook.events.CallAnswered;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.Event;
import gatebook.events.JournalOutage;
import gatebook.events.KeysBackupBegun;
import gatebook.events.ReceivedCall;
import gatebook.events.RulesActivated;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.WrappingKeyRotated;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.drop.PositionSet;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which events stay when the others of their range are dropped. The first one always does. */
final class KeptEventsTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
  private static final UUID CALL = id(1);
  private static final UUID OTHER = id(2);
  private static final UUID TREE = id(3);
  private static final UUID EXECUTION = id(4);
  private static final KeptContent KEPT =
      new KeptContent(2, new Digest("k1", Bytes.of(new byte[32])), null, null);

  @TempDir private Path directory;

  private final EventVocabulary eventVocabulary = MemoryContentKeys.vocabulary();
  private Journal journal;

  private static UUID id(int number) {
    return new UUID(0x0192_0000_0000_7000L, number);
  }

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    append(outage());
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void aCallStaysUnlessTheRangeHasAllOfIt() {
    append(received(CALL), received(OTHER), answered(OTHER), received(id(7)));
    append(answered(CALL), answered(id(7)));

    assertThat(kept(2, 5)).containsExactly(2L, 5L);
    assertThat(kept(3, 6)).as("a part of one that stays is left").containsExactly(5L, 6L);
    assertThat(kept(2, 7)).isEmpty();
    assertThat(kept(6, 7)).containsExactly(6L, 7L);
  }

  @Test
  void aCallThatGoesOnAfterItsEndStays() {
    append(received(CALL, "initialize"), answered(CALL), received(OTHER), answered(OTHER));
    assertThat(kept(2, 5)).isEmpty();
    append(new SourceAsked(CALL, "files", "q", "roots/list", null));
    append(new CallerReplied(CALL, "files", "q", CallerReplied.Outcome.RESULT, KEPT));

    assertThat(kept(2, 5)).containsExactly(2L, 3L);
  }

  @Test
  void aTaskStaysAsLongAsItsOutcomeIsKept() {
    append(received(CALL), task(CALL), answered(CALL));

    assertThat(keptAt(AT.plusMillis(999), 2, 4)).containsExactly(2L, 3L, 4L);
    assertThat(keptAt(AT.plusMillis(1_000), 2, 4)).isEmpty();
  }

  @Test
  void ownersOfAgentsTasksStay() {
    append(received(CALL), owned(CALL, null), answered(CALL));
    append(received(OTHER), owned(OTHER, "told"), answered(OTHER));

    assertThat(kept(2, 7)).containsExactly(3L, 5L, 6L, 7L);
  }

  @Test
  void rulesStayThatAreInForceOrDecidedWhatStays() {
    append(rules("a"), rules("b"), rules("a"), received(CALL, "x", "b"), rules("c"), rules("d"));
    append(received(OTHER, "x", "c"), answered(OTHER));

    assertThat(kept(2, 9)).containsExactly(3L, 5L, 7L);
    assertThat(kept(2, 4)).containsExactly(4L);
  }

  @Test
  void aTreeStaysUntilAllOfItIsOver() {
    append(created(TREE), started(EXECUTION));
    assertThat(kept(2, 3)).containsExactly(2L, 3L);
    append(new TreeTaskCancelled(TREE, "root", "ada", "stop", CALL, AT));
    assertThat(kept(2, 4)).as("an execution is open").containsExactly(2L, 3L, 4L);
    append(new TreeExecutionEnded(TREE, "ada", EXECUTION, TreeStatus.CANCELLED, List.of(), AT));
    assertThat(kept(2, 5)).as("a webhook is open").containsExactly(2L, 3L, 4L, 5L);
    append(new TreeWebhookDelivered(TREE, "ada", EXECUTION, "x", "root", true, 1, 204, AT));

    assertThat(kept(2, 6)).isEmpty();
    assertThat(kept(3, 6)).as("it began before").hasSize(4);
    append(new TreeTaskReopened(TREE, "root", "ada", null, CALL, AT));
    assertThat(kept(2, 6)).as("it goes on").hasSize(5);
  }

  @Test
  void aTreeStaysToWhichALinkShows() {
    append(created(TREE), new TreeTaskCancelled(TREE, "root", "ada", "stop", CALL, AT));
    append(new TreeTaskReferenced(TREE, "root", "ada", false, CALL, AT));
    assertThat(kept(2, 4)).isEmpty();
    append(new TreeTaskReferenced(TREE, "root", "ada", true, CALL, AT));

    assertThat(kept(2, 5)).hasSize(4);
  }

  @Test
  void statementsAndWhatCannotBeReadStay() {
    append(new WrappingKeyRotated("eve", "a", "b", AT));
    append(new KeysBackupBegun(OTHER, "eve", "keys"), received(CALL), answered(CALL));
    append(List.of(unreadable("1", new Tag("call", CALL.toString()))));

    assertThat(kept(1, 3)).containsExactly(1L, 2L, 3L);
    assertThat(kept(4, 6)).containsExactly(4L, 5L, 6L);
  }

  @Test
  void unreadableEventWithABadTagStaysAlone() {
    append(List.of(unreadable("1", new Tag("call", "none"))));
    append(received(CALL), answered(CALL));
    append(List.of(unreadable("2", new Tag("tree", ""))));

    assertThat(kept(2, 5)).containsExactly(2L, 5L);
  }

  private static DraftEvent unreadable(String id, Tag tag) {
    return DraftEvent.of(
        id,
        "gatebook.FromTheFuture",
        "1",
        AT,
        Set.of(tag),
        new byte[] {'{', '}'},
        new byte[] {'{', '}'});
  }

  @Test
  void theFirstEventStaysWithItsCall() throws IOException {
    journal.close();
    journal = Journals.opened(Journals.inSegments(Files.createDirectory(directory.resolve("a"))));
    append(received(CALL), answered(CALL), received(OTHER), answered(OTHER));

    assertThat(kept(1, 4)).containsExactly(1L, 2L);
  }

  private List<Long> kept(long from, long to) {
    return keptAt(Instant.MAX, from, to);
  }

  private List<Long> keptAt(Instant now, long from, long to) {
    PositionSet kept = new KeptEvents(() -> now).plan(from, to, journal).kept();
    return LongStream.rangeClosed(from, to).filter(kept::contains).boxed().toList();
  }

  private void append(Event... events) {
    append(Arrays.stream(events).map(event -> eventVocabulary.draft(event, AT)).toList());
  }

  private void append(List<DraftEvent> drafts) {
    assertThat(journal.append(ConflictCondition.none(), drafts).join())
        .isInstanceOf(Append.Stored.class);
  }

  private static JournalOutage outage() {
    return new JournalOutage(AT, AT, "disk full", 1, 0);
  }

  private static RulesActivated rules(String hash) {
    return new RulesActivated(hash, "schema: 1", List.of(), null, "4.0");
  }

  private static CallReceived received(UUID call) {
    return received(call, "tools/call");
  }

  private static CallReceived received(UUID call, String method) {
    return received(call, method, "none");
  }

  private static CallReceived received(UUID call, String method, String rulesHash) {
    return ReceivedCall.of(call, AT).method(method).by("ada").under(rulesHash).event();
  }

  private static CallAnswered answered(UUID call) {
    return new CallAnswered(call, CallAnswered.Outcome.SUCCESS, KEPT, 1, 5L, 7);
  }

  private static TaskCreated task(UUID call) {
    return new TaskCreated(call, "task-1", TaskCreated.Form.TASK, AT, 1_000);
  }

  private static AgentTaskCreated owned(UUID call, @Nullable String told) {
    return new AgentTaskCreated(call, "files", "ada", "t", "c", AT, null, told, null);
  }

  private static TreeTaskCreated created(UUID tree) {
    return new TreeTaskCreated(
        tree,
        "root",
        "ada",
        null,
        new TaskContent("plan", "echo", 2, List.of(), KEPT, "{}"),
        CALL,
        AT);
  }

  private static TreeExecutionStarted started(UUID execution) {
    return new TreeExecutionStarted(
        TREE, "ada", execution, "root", CALL, false, AT, new TreeWebhook("https://x", "{}"), null);
  }
}
