package gatebook.command;

import gatebook.command.axon.CommandConfiguration;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.axon.EventMessages;
import gatebook.events.journal.axon.FollowableStorageEngine;
import gatebook.events.journal.axon.JournalEventStore;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.VocabularyConfiguration;
import gatebook.events.vocabulary.VocabularyConverter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/** The nodes of a test: the command side of each, on a journal that is really stored. */
public final class CommandNodes implements AutoCloseable {

  private final List<Runnable> open = new ArrayList<>();
  private final ContentKeys contentKeys;

  public CommandNodes() {
    this(GivenCall.KEYS);
  }

  /** The content of all nodes is sealed under these keys. */
  public CommandNodes(ContentKeys contentKeys) {
    this.contentKeys = contentKeys;
  }

  /** Where the journals are stored. */
  public enum Storage {
    SEGMENTS,
    /** Two nodes that share a database. */
    POSTGRES
  }

  /** Opens the only journal in segments. */
  public Journal journal(Path directory) {
    return opened(Journals.inSegments(directory));
  }

  /** Opens a journal for each node that can use the storage. */
  public List<Journal> journals(Storage storage, Path directory) {
    return switch (storage) {
      case SEGMENTS -> List.of(journal(directory));
      case POSTGRES -> {
        JournalSettings first = Journals.shared(directory);
        // same key, as nodes must have
        JournalSettings second = Journals.settings(directory, first.location());
        yield List.of(opened(first), opened(second));
      }
    };
  }

  private Journal opened(JournalSettings settings) {
    Journal journal = Journals.opened(settings);
    open.add(journal::close);
    return journal;
  }

  /** Starts a node that handles commands, and stores its events in the journal. */
  public CommandGateway start(Journal journal, Object... handlers) {
    EventSourcingConfigurer configurer =
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE))
            .registerEventStore(axon -> eventStore(journal, axon));
    AxonConfiguration axon =
        CommandConfiguration.configure(
                configurer, CommandConfiguration.executors(ContentKeys.NONE), handlers)
            .build();
    axon.start();
    open.add(axon::shutdown);
    return axon.getComponent(CommandGateway.class);
  }

  private EventStore eventStore(Journal journal, Configuration axon) {
    VocabularyConverter converter =
        new VocabularyConverter(new EventVocabulary(contentKeys, OldKeys.NONE));
    return new JournalEventStore(
        new FollowableStorageEngine(journal, new EventMessages(converter)),
        axon.getComponent(TagResolver.class));
  }

  /** Stops the nodes and closes the journals, the last one first. */
  @Override
  public void close() {
    open.reversed().forEach(Runnable::run);
  }
}
