package gatebook.api.backup;

import gatebook.events.BackupEvent;
import gatebook.events.KeysBackupBegun;
import gatebook.events.KeysBackupCompleted;
import gatebook.events.KeysRestoreBegun;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.BackupTag;
import gatebook.events.vocabulary.EventVocabulary;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backups of content keys that the journal has, those of all nodes. They are read from the
 * journal when they are asked for, each once.
 */
public final class RecordedBackups {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedBackups.class);
  private static final int PAGE = 500;
  private static final int TOLD_MAX = 20;
  private static final EventCriteria CRITERIA = EventCriteria.havingTags(BackupTag.TAG);

  private final JournalAccess journal;
  private final EventVocabulary eventVocabulary = new EventVocabulary();
  private final InstantSource clock;
  private final Map<UUID, KeysBackup> ofKeys = new LinkedHashMap<>();
  private long position;

  public RecordedBackups(JournalAccess journal, InstantSource clock) {
    this.journal = journal;
    this.clock = clock;
  }

  /** The seconds since the newest backup of content keys; NaN when there is none. */
  public double secondsSince() {
    return secondsSince(newestOfKeys().map(KeysBackup::at), clock);
  }

  static double secondsSince(Optional<Instant> at, InstantSource clock) {
    return at.map(it -> Duration.between(it, clock.instant()).toMillis() / 1000.0)
        .orElse(Double.NaN);
  }

  /** How many content keys were made since the newest backup of them. */
  public double keysSince(ContentKeyStore contentKeys) {
    try {
      return count(contentKeys, newestOfKeys());
    } catch (KeysUnavailable _) {
      return Double.NaN;
    }
  }

  private static long count(ContentKeyStore contentKeys, Optional<KeysBackup> newest) {
    return newest
        .flatMap(KeysBackup::completed)
        .flatMap(KeysBackup.Completed::newestKeyAt)
        .map(contentKeys::madeAfter)
        .orElseGet(contentKeys::count);
  }

  /** Says when no backup of content keys is as new as the newest content; empty when one is. */
  public Optional<String> warning(ContentKeyStore contentKeys) {
    Optional<KeysBackup> newest = newestOfKeys();
    try {
      long since = count(contentKeys, newest);
      return since == 0
          ? Optional.empty()
          : Optional.of(
              newest
                      .map(it ->
                          "the newest backup of the content keys, of %s, lacks %d of them"
                              .formatted(description(it), since))
                      .orElse("there is no backup of the content keys")
                  + ": run gatebook backup keys FILE");
    } catch (KeysUnavailable e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The files that may still hold keys which are erased now, in sentences for operators. */
  public synchronized List<String> mayStillHold() {
    read();
    List<KeysBackup> all = List.copyOf(ofKeys.values());
    List<KeysBackup> left = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      KeysBackup one = all.get(i);
      if (all.subList(i + 1, all.size()).stream().noneMatch(one::isReplacedBy)) {
        left.add(one);
      }
    }
    List<String> sentences = new ArrayList<>();
    left.reversed().stream()
        .limit(TOLD_MAX)
        .forEach(it -> sentences.add("the backup of the content keys of " + description(it)));
    if (left.size() > TOLD_MAX) {
      sentences.add(
          "%d older backups of the content keys; the first is of %s"
              .formatted(left.size() - TOLD_MAX, description(left.getFirst())));
    }
    return sentences;
  }

  private String description(KeysBackup backup) {
    return "%s (%s) in %s on %s%s"
        .formatted(
            backup.at(),
            age(Duration.between(backup.at(), clock.instant())),
            backup.file(),
            backup.machine(),
            backup.completed().isPresent() ? "" : ", which was not completed");
  }

  private static String age(Duration age) {
    return age.toDays() > 1 ? age.toDays() + " days ago" : Math.max(0, age.toHours()) + " h ago";
  }

  private synchronized Optional<KeysBackup> newestOfKeys() {
    read();
    return ofKeys.values().stream()
        .filter(it -> it.completed().isPresent())
        .reduce((_, later) -> later);
  }

  /** Reads what is new in the journal; what cannot be read now is read the next time. */
  private void read() {
    try {
      long head = journal.head();
      journal.stream(CRITERIA, position, head, PAGE).forEach(this::add);
      position = Math.max(position, head);
    } catch (JournalUnreadable e) {
      LOG.atWarn().setCause(e).log("the backups in the journal cannot be read now");
    }
  }

  private void add(Entry entry) {
    Instant at = Instant.parse(entry.at());
    position = entry.position();
    eventVocabulary
        .readIfPossible(entry, BackupEvent.class)
        .ifPresent(event -> {
          switch (event) {
            case KeysRestoreBegun _ -> {
              // it is no backup
            }
            case KeysBackupBegun begun ->
                ofKeys.put(
                    begun.backupId(),
                    new KeysBackup(begun.file(), machine(entry.node()), at, Optional.empty()));
            case KeysBackupCompleted end ->
                ofKeys.computeIfPresent(
                    end.backupId(),
                    (_, begun) ->
                        begun.with(
                            new KeysBackup.Completed(
                                at, end.keys(), Optional.ofNullable(end.newestKeyAt()))));
          }
        });
  }

  /** A node is named by its process and its machine. */
  private static String machine(String node) {
    return node.substring(node.indexOf('@') + 1);
  }
}
