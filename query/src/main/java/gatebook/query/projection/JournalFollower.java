package gatebook.query.projection;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A follower of the journal that feeds several builds of views: it reads each page once and passes
 * it to all of them in one turn of writing. One thread reads the next pages, and the events that a
 * build needs, while another writes.
 *
 * <p>A page that fails for all builds is retried, and they keep their positions.
 */
final class JournalFollower {
  private static final Logger log = LoggerFactory.getLogger(JournalFollower.class);

  /** The delay before a failed page is retried. */
  private static final long RETRY_MILLIS = 500;

  private final ViewFollowers followers;
  private final ViewWriting writing;
  private final Journal journal;
  private final EventReader events;
  private final PageBuffer pages;

  /** Changed in turns of writing only. */
  private final List<ViewBuild> builds = new CopyOnWriteArrayList<>();

  private volatile Set<String> readNames = Set.of();
  private volatile long position;
  private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  JournalFollower(
      ViewFollowers followers,
      ViewWriting writing,
      Journal journal,
      EventReader events,
      Collection<ViewBuild> builds) {
    this.followers = followers;
    this.writing = writing;
    this.journal = journal;
    this.events = events;
    this.pages = new PageBuffer(journal);
    add(builds);
    this.position = lowestPosition();
  }

  /** A follower of the same journal for other builds. */
  JournalFollower another(Collection<ViewBuild> others) {
    return new JournalFollower(followers, writing, journal, events, others);
  }

  /** Begins to read, on threads of its own. */
  void start() {
    pages.restart(position);
    ended =
        CompletableFuture.allOf(
            started("view-follower-reader", this::readPages),
            started("view-follower-writer", this::writePages));
  }

  private static CompletableFuture<Void> started(String name, Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .start(() -> {
              try {
                work.run();
              } finally {
                done.complete(null);
              }
            });
    return done;
  }

  /** Ends reading. Completed when nothing is read or written any more. */
  CompletableFuture<Void> stop() {
    builds.clear();
    pages.close(); // without an interrupt, which would close the file during a read
    return ended;
  }

  void readNow() {
    pages.fillNow();
  }

  private void readPages() {
    while (pages.awaitNeeded()) {
      try {
        if (!pages.fill(this::readAhead)) {
          pages.pause(RETRY_MILLIS); // the start check has reported what is missing
        }
      } catch (RuntimeException | Error e) {
        log.atWarn().setCause(e).log("the journal could not be read for the views; read it again");
        pages.pause(RETRY_MILLIS);
      }
    }
  }

  /** Reads an event here, on the thread that reads the page, when a build needs its content. */
  private Entry readAhead(Entry entry) {
    return readNames.contains(entry.name()) ? events.readAhead(entry) : entry;
  }

  private void writePages() {
    boolean isRetry = false;
    Optional<List<Entry>> page = pages.take();
    while (page.isPresent()) {
      Optional<Throwable> error = project(page.get());
      if (error.isPresent()) {
        if (!isRetry) {
          log.atWarn().setCause(error.get()).log("a page was not written to the views; try again");
        }
        pages.pause(RETRY_MILLIS);
        pages.restart(position);
      }
      isRetry = error.isPresent();
      page = pages.take();
    }
  }

  /**
   * Passes a page to the builds. When it fails for some of them, the others go on without these.
   * Returns the error when it failed for all; those that cannot be written any more are opened
   * again.
   */
  private Optional<Throwable> project(List<Entry> page) {
    try {
      Optional<Throwable> error = writing.change(() -> projectInTurn(page));
      if (error.isPresent()) {
        reopenBroken();
      }
      return error;
    } catch (SQLException | RuntimeException | Error e) {
      return Optional.of(e);
    }
  }

  private Optional<Throwable> projectInTurn(List<Entry> page) {
    Optional<Throwable> error = Optional.empty();
    List<ViewBuild> failed = new ArrayList<>();
    for (ViewBuild build : builds) {
      Optional<Throwable> one = build.project(page);
      if (one.isPresent()) {
        error = one;
        failed.add(build);
      }
    }
    if (error.isPresent() && failed.size() == builds.size()) {
      return error;
    }
    position = page.getLast().position();
    followers.advanced(this, failed);
    return Optional.empty();
  }

  private void reopenBroken() throws SQLException {
    for (ViewBuild build : builds) {
      build.reopenIfBroken();
    }
    var _ = writing.change(() -> position = lowestPosition());
  }

  /** Adds builds, none of which is behind this follower. In a turn of writing. */
  void add(Collection<ViewBuild> added) {
    added.forEach(build -> build.setFollower(this));
    builds.addAll(added);
    readNames =
        builds.stream()
            .flatMap(build -> build.readNames().stream())
            .collect(Collectors.toUnmodifiableSet());
  }

  /** In a turn of writing. */
  void remove(Collection<ViewBuild> removed) {
    builds.removeAll(removed);
  }

  List<ViewBuild> builds() {
    return List.copyOf(builds);
  }

  boolean isFailing() {
    return builds.stream().anyMatch(ViewBuild::isFailing);
  }

  /** The pages up to this position have been passed to the builds. */
  long position() {
    return position;
  }

  private long lowestPosition() {
    return builds.stream().mapToLong(ViewBuild::position).min().orElse(position);
  }
}
