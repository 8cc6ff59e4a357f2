package gatebook.command.call;

import static gatebook.command.GivenCall.ADA;
import static gatebook.command.GivenCall.CALL;
import static gatebook.command.GivenCall.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.command.CommandNodes;
import gatebook.command.GivenCall;
import gatebook.events.Event;
import gatebook.events.MessageRefused;
import gatebook.events.TreeEvent;
import gatebook.events.journal.Append;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.axon.AppendRefused;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose content the events have that commands record, in a journal that is really stored. */
@Timeout(300)
final class ContentOwnersTest {
  private static final EventVocabulary VOCABULARY =
      new EventVocabulary(GivenCall.KEYS, OldKeys.NONE);

  /** The day is the one on which the call was received; its events have a later time. */
  private static final ContentOwner CALLER = ContentOwner.ofCall(ADA.name(), CALL);

  /** The content of a message without a principal is the node's. */
  private static final ContentOwner OF_NOBODY = ContentOwner.ofCall(null, CALL);

  @TempDir private Path directory;

  @Test
  void contentOfEveryCommandIsTheCallers() throws IOException {
    Set<String> commands = new TreeSet<>();
    for (Object command : DecisionPurityTest.commands().toList()) {
      for (Entry entry : recorded(command)) {
        Event event = VOCABULARY.read(entry);
        owner(entry)
            .ifPresent(owner -> {
              commands.add(command.getClass().getSimpleName());
              switch (event) {
                case TreeEvent tree ->
                    assertThat(owner.principal()).as("%s", command).isEqualTo(tree.owner());
                case MessageRefused _ -> assertThat(owner).as("%s", command).isEqualTo(OF_NOBODY);
                default -> assertThat(owner).as("%s", command).isEqualTo(CALLER);
              }
            });
      }
    }
    assertThat(commands)
        .as("commands whose events have content")
        .containsExactly(
            "CancelTreeTask",
            "ChangeTree",
            "CloseUnrecordedCall",
            "CopyTasks",
            "CreateTree",
            "DecideApproval",
            "PassQuestion",
            "PassReply",
            "ReceiveCall",
            "ReceiveMessage",
            "RecordDelivery",
            "RefuseMessage",
            "ResumeCall",
            "RetryCall",
            "RetryTreeTask",
            "SettleCall",
            "SettleTask",
            "SettleTreeTask",
            "StartExecution",
            "TakeOverExecution");
  }

  @Test
  void withoutKeysNothingIsRecorded() {
    try (CommandNodes commandNodes = new CommandNodes(ContentKeys.NONE)) {
      Journal journal = commandNodes.journal(directory);
      CommandGateway node = commandNodes.start(journal, DecisionPurityTest.handlers());
      Object command = DecisionPurityTest.commands().findFirst().orElseThrow();

      assertThatThrownBy(() -> node.send(command, Object.class).join())
          .rootCause()
          .satisfies(failure ->
              assertThat(AppendRefused.refusal(failure))
                  .contains(new Append.Unavailable("this process has no content keys")));
      assertThat(journal.head()).isZero();
    }
  }

  private List<Entry> recorded(Object command) throws IOException {
    try (CommandNodes commandNodes = new CommandNodes()) {
      Journal journal = commandNodes.journal(Files.createTempDirectory(directory, "journal"));
      for (Event event : DecisionPurityTest.before(command)) {
        assertThat(Journals.append(journal, VOCABULARY.draft(event, NOON)))
            .isInstanceOf(Append.Stored.class);
      }
      long before = journal.head();
      CommandGateway node = commandNodes.start(journal, DecisionPurityTest.handlers());
      node.send(command, Object.class).join();
      return new ArrayList<>(journal.read(before, 100));
    }
  }

  /** The owner under whose key the content of an entry is sealed; empty when it has none. */
  private static Optional<ContentOwner> owner(Entry entry) throws IOException {
    JsonNode key = new ObjectMapper().readTree(entry.payload()).at("/sealed/key");
    return key.isMissingNode()
        ? Optional.empty()
        : Optional.of(((KeyLookup.Found) GivenCall.KEYS.find(key.textValue())).key().owner());
  }
}
