package gatebook.api.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.log.CapturedLogLines;
import gatebook.command.call.OrphanCall;
import gatebook.events.CallReceived;
import gatebook.events.ReceivedCall;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.trees.OpenExecution;
import gatebook.query.trees.OpenWebhook;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OrphanCleanupTest {

  private static final UUID CALL = UUID.fromString("0192aaaa-0000-7000-8000-00000000abcd");
  private static final Duration PAUSE = Duration.ofMillis(5);

  @TempDir private Path directory;

  private final List<UUID> closed = new CopyOnWriteArrayList<>();

  @Test
  void openCallIsClosedOnceItsViewIsReadable() throws Exception {
    try (Journal journal = RealJournal.open(directory);
        NodeJournal nodeJournal = RealJournal.nodeJournal(journal, directory)) {
      append(journal, RealJournal.vocabulary(nodeJournal));
      await()
          .until(() ->
              nodeJournal.views().stream().allMatch(view -> view.position() == journal.head()));
      Thread cleanup;
      try (Connection views = views()) {
        execute(views, "ALTER TABLE calls_1.open_calls RENAME TO renamed");
        cleanup =
            new OrphanCleanup(
                    nodeJournal.queries(),
                    new RecordingHandler(),
                    Clock.systemUTC(),
                    (_, _) -> true,
                    PAUSE)
                .start(journal.head());
        try (CapturedLogLines lines = CapturedLogLines.of(OrphanCleanup.class.getName(), cleanup)) {
          await().until(() -> !lines.list.isEmpty());
        }
        assertThat(closed).isEmpty();

        execute(views, "ALTER TABLE calls_1.renamed RENAME TO open_calls");
      }
      cleanup.join();

      assertThat(closed).containsExactly(CALL);
    }
  }

  private static void append(Journal journal, EventVocabulary eventVocabulary) {
    CallReceived received =
        ReceivedCall.of(CALL, Instant.parse("2026-10-01T12:00:00Z"))
            .to("bank", "pay")
            .with(new KeptContent(40, new Digest("k", Bytes.of(new byte[32])), null, null), null)
            .event();
    var _ =
        journal
            .append(
                ConflictCondition.none(), List.of(eventVocabulary.draft(received, Instant.now())))
            .join();
  }

  /** The tables of the views, in the database that the node has open. */
  private Connection views() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:h2:steady:%s".formatted(directory.resolve("views").toAbsolutePath()));
  }

  private static void execute(Connection views, String sql) throws SQLException {
    try (var statement = views.createStatement()) {
      var _ = statement.execute(sql);
    }
  }

  private final class RecordingHandler implements OrphanHandler {

    @Override
    public CompletableFuture<Boolean> close(OrphanCall call) {
      closed.add(call.callId());
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public void resume(UUID callId) {
      throw new AssertionError("the call is no task");
    }

    @Override
    public CompletableFuture<Void> takeOver(OpenExecution execution) {
      throw new AssertionError("there is no tree");
    }

    @Override
    public CompletableFuture<Void> takeOver(OpenWebhook webhook) {
      throw new AssertionError("there is no webhook");
    }
  }
}
