package gatebook.query;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Event;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A journal of one test, and the file of the views that follow it. */
public final class FollowedJournal implements AutoCloseable {
  /** One for the process: what one journal has sealed is read when it is opened again. */
  private static final EventVocabulary VOCABULARY = MemoryContentKeys.vocabulary();

  private final Path file;
  private final Journal journal;
  private final List<Runnable> followers = new ArrayList<>();
  private ViewFile views;

  private FollowedJournal(JournalSettings settings, Path file) {
    this.file = file;
    this.journal = Journals.opened(settings);
    this.views = openFile();
  }

  /** A journal in segments. */
  public static FollowedJournal in(Path directory) {
    return of(Journals.inSegments(directory), directory);
  }

  /** A journal of any kind, with its views in a directory. */
  public static FollowedJournal of(JournalSettings settings, Path directory) {
    return new FollowedJournal(settings, directory.resolve("views"));
  }

  private ViewFile openFile() {
    return ((ViewFile.Opening.Opened) ViewFile.open(file)).views();
  }

  public Journal journal() {
    return journal;
  }

  public ViewFile views() {
    return views;
  }

  /** What makes a view, or several, that follow the journal. */
  @FunctionalInterface
  public interface Following<V> {
    V follow(ViewFile views, Journal journal, EventReader reader, EventVocabulary eventVocabulary);
  }

  /** Follows the journal until it, or the file of the views, is closed. */
  public <V> V follow(Following<V> following, Consumer<V> close) {
    V followed = following.follow(views, journal, new EventReader(), VOCABULARY);
    followers.add(() -> close.accept(followed));
    return followed;
  }

  /** Appends events that are recorded at this time, at once. */
  public void append(Instant at, Event... events) {
    append(Stream.of(events).map(event -> VOCABULARY.draft(event, at)).toList());
  }

  public void append(List<DraftEvent> drafts) {
    assertThat(journal.append(ConflictCondition.none(), drafts).join())
        .isInstanceOf(Append.Stored.class);
  }

  /**
   * Waits until the views have everything. A query waits only for a limited time, so two queries
   * about a view that is behind may see different events.
   */
  public void awaitHead(Collection<View> views) throws InterruptedException {
    for (View view : views) {
      assertThat(view.awaitWithoutLimit(journal.head())).isTrue();
    }
  }

  /** Closes the views, and opens their file again. */
  public void reopenViews() {
    closeViews();
    views = openFile();
  }

  private void closeViews() {
    followers.reversed().forEach(Runnable::run);
    followers.clear();
    views.close();
  }

  @Override
  public void close() {
    closeViews();
    journal.close();
  }
}
