package gatebook.api.cli.backup;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.archive.ArchiveAddress;
import gatebook.api.cli.option.DataOption;
import gatebook.api.cli.option.DatabaseOption;
import gatebook.api.cli.option.JsonOption;
import gatebook.api.cli.option.TimeArgument;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalKeys;
import gatebook.api.data.JournalPlace;
import gatebook.api.data.JournalSection;
import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.backup.JournalRestore;
import gatebook.events.journal.backup.RestoreEnd;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.storage.RestoredMark;
import gatebook.events.keys.KeysUnavailable;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code gatebook restore}: restores a journal into a new data directory, and lets a
 * restored one go on.
 */
@Command(
    name = "restore",
    subcommands = RestoreKeysCommand.class,
    description = {
      "Restores the journal of a backup into a new data directory, and checks every hash and the"
          + " signature. Put checkpoint.key back afterwards, and the content keys with gatebook"
          + " restore keys.",
      "The journal is read-only until --continue, which begins a new origin: then nobody takes it"
          + " for the journal that was backed up, which may have gone on elsewhere. A journal that"
          + " a witness found to be rolled back goes on in the same way."
    },
    footer = {
      "",
      "Exit code: 0 done, 1 not done, 2 usage.",
      "Example: gatebook restore /backups/gatebook --data ./restored",
      "Example: gatebook restore --continue \"the disk is lost\" --data ./restored"
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final Pattern POSITION = Pattern.compile("\\d{1,18}");

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli puts the command's own here
  @Mixin private final DataOption dataOption;
  @Mixin private final DatabaseOption databaseOption = new DatabaseOption();
  @Mixin private final JsonOption jsonOption = new JsonOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "SOURCE",
      description = "The place of the backups: a directory, or s3://BUCKET/PREFIX.")
  private @Nullable String source;

  @Option(
      names = "--until",
      paramLabel = "POSITION|TIME",
      description =
          "Restores the events up to this position, or those before this time: RFC 3339, or how"
              + " long ago, as in 2h (else everything).")
  private @Nullable String until;

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description = "The backup to restore (else the newest one).")
  private @Nullable String backup;

  @Option(
      names = "--origin",
      paramLabel = "ORIGIN",
      description = "Restores the newest backup of the log with this origin.")
  private @Nullable String origin;

  @Option(
      names = "--continue",
      paramLabel = "REASON",
      description =
          "Lets a journal go on that was restored, or that was rolled back, as a witness showed;"
              + " records why.")
  private @Nullable String continueReason;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "With --continue: the newest checkpoint of the journal, kept elsewhere. When the restored"
              + " events are exactly those that it signs, the log keeps its origin.")
  private @Nullable Path against;

  public RestoreCommand() {
    this(System.getenv());
  }

  RestoreCommand(Map<String, String> environment) {
    this.environment = environment;
    this.dataOption = new DataOption(environment);
  }

  @Override
  public Integer call() {
    if (continueReason != null) {
      requireOnlyContinuation(continueReason);
      return goOn(continueReason);
    }
    if (against != null) {
      throw usageError("--against goes with --continue");
    }
    if (databaseOption.url().isPresent()) {
      throw usageError("--db goes with --continue: a shared database is restored by its own tools");
    }
    return restore(address(), end());
  }

  private void requireOnlyContinuation(String reason) {
    if (source != null || until != null || backup != null || origin != null) {
      throw usageError(
          "--continue lets a journal go on that is there already: leave out SOURCE, --until,"
              + " --backup and --origin");
    }
    if (reason.isBlank()) {
      throw usageError("--continue requires the reason why the journal goes on here");
    }
  }

  private ParameterException usageError(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }

  private ArchiveAddress address() {
    String text = source;
    if (text == null) {
      throw usageError("missing required parameter: 'SOURCE', or --continue REASON");
    }
    return ArchiveAddress.parse(text)
        .orElseThrow(() ->
            usageError(
                "invalid value for 'SOURCE': '%s' is not %s".formatted(text, ArchiveAddress.FORM)));
  }

  private RestoreEnd end() {
    String text = until;
    if (text == null) {
      return new RestoreEnd.Everything();
    }
    if (POSITION.matcher(text).matches()) {
      return new RestoreEnd.Position(Long.parseLong(text));
    }
    return TimeArgument.read(text, Instant.now())
        .map(RestoreEnd.Time::new)
        .orElseThrow(() ->
            usageError(
                "invalid value for option '--until': '%s' is neither a position nor %s"
                    .formatted(text, TimeArgument.FORMS)));
  }

  private int failed(String sentence) {
    return jsonOption.failed(spec.commandLine(), sentence);
  }

  private int restore(ArchiveAddress address, RestoreEnd end) {
    if (address instanceof ArchiveAddress.Directory(var path) && !Files.isDirectory(path)) {
      return failed("there are no backups in %s: it is no directory".formatted(path));
    }
    return dataOption.own(this::failed, directory -> restore(directory, address, end));
  }

  private int restore(DataDirectory directory, ArchiveAddress address, RestoreEnd end) {
    JournalSettings settings = settings(directory.path());
    try (ArchiveTarget archive = address.open()) {
      JournalRestore restore =
          new JournalRestore(
              archive, settings, directory.path().resolve("journal"), (_, _, _, _) -> {});
      JournalRestore.Selection selection =
          new JournalRestore.Selection(
              Optional.ofNullable(backup), Optional.ofNullable(origin), end);
      return switch (restore.run(selection)) {
        case JournalRestore.Outcome.Refused(var sentence) -> failed(sentence);
        case JournalRestore.Outcome.Restored(var mark, var isProven) -> {
          jsonOption.show(spec.commandLine(), document(mark, isProven), _ -> lines(mark, isProven));
          yield ExitCode.OK;
        }
      };
    } catch (ArchiveFailure e) {
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private JournalSettings settings(Path data) {
    return databaseOption.place(spec, data).settings(JournalSection.DEFAULT, environment);
  }

  private ObjectNode document(RestoredMark mark, boolean isProven) {
    return new JsonMapper()
        .createObjectNode()
        .put("backup", mark.backup())
        .put("origin", mark.origin())
        .put("size", mark.size())
        .put("root", mark.root())
        .put("covered", mark.coveredSize())
        .put("proven", isProven)
        .put("data", dataOption.directory().toString());
  }

  private List<String> lines(RestoredMark mark, boolean isProven) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "restored  %,d events of the log %s, of the backup %s",
            mark.size(),
            mark.origin(),
            mark.backup()));
    lines.add("proven    " + proof(mark, isProven));
    lines.add(
        "next      put checkpoint.key and the other keys back into %1$s, look at the journal with gatebook serve and gatebook verify, and let it go on with gatebook restore --continue REASON --data %1$s"
            .formatted(dataOption.directory()));
    return lines;
  }

  private static String proof(RestoredMark mark, boolean isProven) {
    long uncovered = mark.size() - mark.coveredSize();
    if (uncovered == 0) {
      return "a checkpoint signs all of them";
    }
    return isProven
        ? String.format(
            Locale.ROOT,
            "a later checkpoint of the backup signs all of them; without it, the last %,d are"
                + " covered by none",
            uncovered)
        : String.format(
            Locale.ROOT,
            "the last %,d are not covered by a checkpoint: the files are those of the backup, and"
                + " no more is known of them",
            uncovered);
  }

  private int goOn(String reason) {
    if (!DataDirectory.isDataDirectory(dataOption.directory())) {
      return failed(
          "%s is no data directory: name the restored one with --data"
              .formatted(dataOption.directory()));
    }
    return dataOption.own(this::failed, directory -> goOn(directory, reason));
  }

  private int goOn(DataDirectory directory, String reason) {
    if (against == null) {
      return goOn(directory, new EventVocabulary(), reason); // its event has no content
    }
    JournalPlace place = new JournalPlace(directory.path(), Optional.empty());
    if (Files.notExists(place.keys())) {
      return failed(
          "there are no content keys in %s, and the event that keeps the origin needs one: put them back, with gatebook restore keys or from a copy"
              .formatted(place.keys()));
    }
    return switch (JournalKeys.openAlone(place, System.getenv())) {
      case ContentKeyStore.Opening.Refused(var sentence) -> failed(sentence);
      case ContentKeyStore.Opening.Opened(var contentKeys, _) -> {
        try (contentKeys) {
          yield goOn(directory, new EventVocabulary(contentKeys, OldKeys.NONE), reason);
        } catch (KeysUnavailable e) {
          yield failed(String.valueOf(e.getMessage()));
        }
      }
    };
  }

  private int goOn(DataDirectory directory, EventVocabulary eventVocabulary, String reason) {
    Continuation continuation =
        new Continuation(settings(directory.path()), eventVocabulary, Optional.ofNullable(against));
    return switch (continuation.run(System.getProperty("user.name", "unknown"), reason)) {
      case Continuation.Outcome.NotDone(var sentence) -> failed(sentence);
      case Continuation.Outcome.Continues(var position, var under) -> {
        jsonOption.show(
            spec.commandLine(),
            new JsonMapper().createObjectNode().put("position", position).put("origin", under),
            _ ->
                List.of(
                    "the journal goes on after event %d, under the origin %s"
                        .formatted(position, under)));
        yield ExitCode.OK;
      }
    };
  }
}
