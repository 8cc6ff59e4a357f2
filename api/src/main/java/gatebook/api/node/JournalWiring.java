package gatebook.api.node;

import gatebook.api.archive.ArchiveAddress;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.DiskLimits;
import gatebook.api.data.GivenCheckpointKey;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.api.data.KnownArchive;
import gatebook.api.data.OperatorToken;
import gatebook.api.data.RetentionSection;
import gatebook.api.erasure.ErasedAgain;
import gatebook.api.node.NodeLiveness.OrphanCheck;
import gatebook.api.node.disk.DiskReserve;
import gatebook.api.node.disk.DiskSpace;
import gatebook.api.operator.rpc.RotationRecord;
import gatebook.api.rules.RulesFiles;
import gatebook.events.journal.Journal;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.query.projection.ViewFailed;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires the journal and the views that follow it, and opens them for a node. */
final class JournalWiring {

  private static final Logger LOG = LoggerFactory.getLogger(JournalWiring.class);

  private JournalWiring() {}

  static NodeJournal.Opening open(ServeSettings settings, DataDirectory directory) {
    return open(settings.rules(), settings.databaseUrl(), directory);
  }

  /** Opens the journal with the settings of the rules file, else with the defaults. */
  static NodeJournal.Opening open(
      Optional<Path> rules, Optional<String> databaseUrl, DataDirectory directory) {
    JournalPlace place = new JournalPlace(directory.path(), databaseUrl);
    Optional<String> refusal = place.refusal();
    if (refusal.isPresent()) {
      return new NodeJournal.Opening.Refused(refusal.get());
    }
    Optional<String> text = text(rules);
    return switch (section(rules, text)) {
      case JournalSection.Reading.Invalid(var mistakes) ->
          new NodeJournal.Opening.Refused(String.join("\n", mistakes));
      case JournalSection.Reading.NotYaml(var mistake) ->
          text.filter(it -> it.contains("key_file") || it.contains("retention")).isPresent()
              ? new NodeJournal.Opening.Refused(mistake)
              : open(place, JournalSection.DEFAULT, directory);
      case JournalSection.Reading.Read(var section) -> open(place, section, directory);
    };
  }

  private static NodeJournal.Opening open(
      JournalPlace place, JournalSection section, DataDirectory directory) {
    Path keyFile = section.keyFile().orElseGet(place::keyFile);
    Optional<String> refusal = GivenCheckpointKey.store(keyFile, System.getenv());
    if (refusal.isPresent()) {
      return new NodeJournal.Opening.Refused(refusal.get());
    }
    OrphanCheck orphanCheck =
        place.databaseUrl().isPresent()
            ? NodeLiveness.orphanedInShared()
            : NodeLiveness.orphanedInEmbedded();
    return switch (Journal.open(place.settings(section, System.getenv()))) {
      case Journal.OpenResult.Refused(var sentence) -> new NodeJournal.Opening.Refused(sentence);
      case Journal.OpenResult.Opened(var journal) -> {
        section.retention().archive().ifPresent(archive -> remember(archive, directory));
        yield withKeys(journal, place, directory, orphanCheck, section.disk(), section.retention());
      }
    };
  }

  /** Commands that read the stopped journal need to know it. */
  private static void remember(ArchiveAddress archive, DataDirectory directory) {
    KnownArchive known = KnownArchive.in(directory.path());
    try {
      known.remember(archive);
    } catch (IOException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("file", known.file())
          .log(
              "the archive's address cannot be written to the data directory: without a server,"
                  + " verify needs --archive");
    }
  }

  /** The reserve of the disk of a data directory, for a process that another one may record for. */
  static DiskReserve diskReserve(Path data, Optional<Path> rules) {
    DiskLimits diskLimits =
        section(rules, text(rules)) instanceof JournalSection.Reading.Read(var section)
            ? section.disk()
            : DiskLimits.DEFAULT;
    return new DiskReserve(DiskSpace.of(data), diskLimits.reserveBytes());
  }

  private static Optional<String> text(Optional<Path> rules) {
    return rules.flatMap(
        file -> RulesFiles.of(Optional.of(file), System.getenv()).substitutedText());
  }

  private static JournalSection.Reading section(Optional<Path> rules, Optional<String> text) {
    return text.map(it -> JournalSection.read(it, rules.orElseThrow().toString()))
        .orElseGet(() -> new JournalSection.Reading.Read(JournalSection.DEFAULT));
  }

  private static NodeJournal.Opening withKeys(
      Journal journal,
      JournalPlace place,
      DataDirectory directory,
      OrphanCheck orphanCheck,
      DiskLimits diskLimits,
      RetentionSection retention) {
    return switch (NodeKeys.openOld(place.directory(), System.getenv())) {
      case NodeKeys.Opening.Refused(var sentence) -> refused(journal, sentence);
      case NodeKeys.Opening.Opened(var oldKeys) ->
          withKeys(journal, oldKeys, place, directory, orphanCheck, diskLimits, retention);
    };
  }

  private static NodeJournal.Opening withKeys(
      Journal journal,
      OldKeys oldKeys,
      JournalPlace place,
      DataDirectory directory,
      OrphanCheck orphanCheck,
      DiskLimits diskLimits,
      RetentionSection retention) {
    return switch (JournalKeys.open(place, journal, System.getenv())) {
      case ContentKeyStore.Opening.Refused(var sentence) -> refused(journal, sentence);
      case ContentKeyStore.Opening.Opened(var contentKeys, var missing) -> {
        recordRotation(journal, contentKeys);
        NodeJournal.Opening opening =
            withErasures(
                journal,
                new NodeKeys.Store(contentKeys, oldKeys, missing),
                directory,
                orphanCheck,
                diskLimits,
                retention);
        if (opening instanceof NodeJournal.Opening.Refused) {
          contentKeys.close();
        }
        yield opening;
      }
    };
  }

  /** Records a rotation of the wrapping key whose process ended before it was recorded. */
  private static void recordRotation(Journal journal, ContentKeyStore contentKeys) {
    if (new RotationRecord(journal, InstantSource.system()).record(contentKeys)
        instanceof RotationRecord.Outcome.NotRecorded(var reason)) {
      LOG.atWarn()
          .addKeyValue("reason", reason)
          .log("a rotation of the wrapping key is not recorded yet: the next start records it");
    }
  }

  /** Applies erasures that the keys do not know of before anything can read content. */
  private static NodeJournal.Opening withErasures(
      Journal journal,
      NodeKeys.Store keys,
      DataDirectory directory,
      OrphanCheck orphanCheck,
      DiskLimits diskLimits,
      RetentionSection retention) {
    try {
      ErasedAgain.apply(journal, keys.contentKeys(), keys.vocabulary());
    } catch (KeysUnavailable e) {
      return refused(journal, String.valueOf(e.getMessage()));
    } catch (JournalUnreadable e) {
      return refused(
          journal,
          "the erasures in the journal cannot be read, and are not applied to its content keys: "
              + StorageFailure.describe(e.getCause() == null ? e : e.getCause()));
    }
    NodeKeys.Store erased = keys.withoutErased();
    logMissing(erased.contentKeys(), erased.missing());
    return withViews(journal, erased, directory, orphanCheck, diskLimits, retention);
  }

  private static void logMissing(ContentKeyStore contentKeys, List<String> missing) {
    if (!missing.isEmpty()) {
      LOG.atError()
          .addKeyValue("store", contentKeys.describe())
          .addKeyValue("missing", missing.size())
          .addKeyValue("first", missing.getFirst())
          .log(
              "content keys of recent events are missing, and were not erased: their content cannot"
                  + " be read until the directory of keys is put back from its copy");
    }
  }

  private static NodeJournal.Opening withViews(
      Journal journal,
      NodeKeys.Store keys,
      DataDirectory directory,
      OrphanCheck orphanCheck,
      DiskLimits diskLimits,
      RetentionSection retention) {
    Path file = directory.path().resolve("views");
    try (SlowOperation _ = SlowOperation.start("opening the views", "file", file)) {
      return switch (ViewFile.open(file)) {
        case ViewFile.Opening.Refused(var sentence) -> refused(journal, sentence);
        case ViewFile.Opening.Opened(var views) ->
            withToken(journal, keys, views, directory, orphanCheck, diskLimits, retention);
      };
    }
  }

  private static NodeJournal.Opening withToken(
      Journal journal,
      NodeKeys.Store keys,
      ViewFile views,
      DataDirectory directory,
      OrphanCheck orphanCheck,
      DiskLimits diskLimits,
      RetentionSection retention) {
    try {
      OperatorToken token = directory.operatorToken();
      return new NodeJournal.Opening.Opened(
          OpenNodeJournal.of(
              journal,
              keys,
              views,
              token,
              orphanCheck,
              directory.path(),
              DiskSpace.of(directory.path()),
              diskLimits,
              retention,
              Clock.systemUTC()));
    } catch (IOException _) {
      views.close();
      return refused(
          journal,
          "cannot read operator.token in %s: make it readable".formatted(directory.path()));
    } catch (ViewFailed _) {
      views.close();
      return refused(
          journal,
          "the views in %s cannot be used: delete views.mv.db there, they are rebuilt"
              .formatted(directory.path()));
    }
  }

  private static NodeJournal.Opening refused(Journal journal, String sentence) {
    journal.close();
    return new NodeJournal.Opening.Refused(sentence);
  }
}
