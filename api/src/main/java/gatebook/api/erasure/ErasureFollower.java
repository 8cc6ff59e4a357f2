package gatebook.api.erasure;

import gatebook.events.ErasureBegun;
import gatebook.events.ErasureCompleted;
import gatebook.events.journal.Journal;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follower of erasures: drops content from the memory of this process when any node erases some,
 * and events when any node drops some for good.
 */
public final class ErasureFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureFollower.class);
  private static final int PAGE = 1_000;

  private final Journal journal;
  private final Set<String> names;
  private final Runnable stop;
  private long position;

  public ErasureFollower(Journal journal) {
    EventVocabulary eventVocabulary = new EventVocabulary();
    this.journal = journal;
    this.names =
        Stream.of(ErasureBegun.class, ErasureCompleted.class)
            .map(type -> eventVocabulary.typeOf(type).orElseThrow().name())
            .collect(Collectors.toUnmodifiableSet());
    this.position = journal.head();
    this.stop = journal.follow(this::readNew);
  }

  private synchronized void readNew() {
    try {
      List<Entry> page = journal.read(position, PAGE);
      while (!page.isEmpty()) {
        position = page.getLast().position();
        if (page.stream().anyMatch(entry -> names.contains(entry.name()))) {
          journal.dropContent();
        }
        page.stream()
            .flatMap(entry -> RecordedDrop.of(entry).stream())
            .forEach(drop -> journal.removeFromMemory(drop.to()));
        page = journal.read(position, PAGE);
      }
    } catch (JournalUnreadable e) {
      LOG.atWarn().setCause(e).log("erasures of other nodes cannot be read now; trying again");
    }
  }

  @Override
  public void close() {
    stop.run();
  }
}
