package gatebook.command.rules.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.rules.Rules;
import gatebook.events.RulesRejected.Mistake;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rules file, which can be read many times.
 *
 * <p>{@code ${NAME}} and {@code ${NAME:-default}} are replaced before the text is parsed, except in
 * comment lines. A variable's value may be a scalar or a part of one and nothing else.
 *
 * @param name the file's name in mistakes
 * @param folder contains the file and the files it names
 * @param inspectors the names of the available inspectors
 */
public record RulesFile(
    String name, RulesFolder folder, Map<String, String> environment, Set<String> inspectors) {

  private static final String RECORDED = "the recorded rules";

  /** The text of a candidate in mistakes, which name no path of this machine. */
  static final String CANDIDATE = "candidate";

  static final String EMPTY = "the file is empty: it needs schema, sources and governance";

  public RulesFile {
    environment = Map.copyOf(environment);
    inspectors = Set.copyOf(inspectors);
  }

  public static RulesFile at(Path file, Map<String, String> environment, Set<String> inspectors) {
    return new RulesFile(file.toString(), RulesFolder.of(file), environment, inspectors);
  }

  /** The result of reading: complete rules, or all mistakes. */
  public sealed interface Reading {

    /** What is allowed, but probably not intended. */
    List<Mistake> warnings();

    /** The files that were read, with their contents' digests. */
    SeenFiles seen();

    /** {@code candidate} is absent where the file names none. */
    record Valid(
        Rules rules,
        RulesTexts texts,
        List<Mistake> warnings,
        SeenFiles seen,
        @Nullable Reading candidate)
        implements Reading {
      public Valid {
        warnings = List.copyOf(warnings);
      }
    }

    /** All mistakes; the hash is over what could be read. */
    record Broken(String hash, List<Mistake> mistakes, List<Mistake> warnings, SeenFiles seen)
        implements Reading {
      public Broken {
        mistakes = List.copyOf(mistakes);
        warnings = List.copyOf(warnings);
      }
    }
  }

  /**
   * This file with another text, which is not written anywhere. Its variables and the files it
   * names are read as they are now; it may only name files that this file names, and files of Cedar
   * in or below this folder.
   */
  public RulesFile withCandidate(String text) {
    return withCandidate(text, Map.of());
  }

  /**
   * The same with other files that the text names.
   *
   * @param files the texts of policies and of the schema, by the names that the text gives them;
   *     they come before files of this folder
   */
  public RulesFile withCandidate(String text, Map<String, String> files) {
    return new RulesFile(
        CANDIDATE, new CandidateFolder(this, text, files), environment, inspectors);
  }

  /**
   * A candidate that reads nothing of this machine: it names only these files, and no variable has
   * a value.
   */
  public RulesFile withForeignCandidate(String text, Map<String, String> files) {
    Map<String, String> all = new HashMap<>(files);
    all.put(CANDIDATE, text);
    RulesFolder foreign =
        wanted -> {
          String found = all.get(wanted);
          if (found == null) {
            throw new CandidateFolder.NotForCandidates();
          }
          return new ByteArrayInputStream(found.getBytes(UTF_8));
        };
    return new RulesFile(CANDIDATE, foreign, Map.of(), inspectors);
  }

  /** The text with its variables replaced; empty when the file cannot be read. */
  public Optional<String> substitutedText() {
    return switch (FileContent.of(folder, name)) {
      case FileContent.Text(var text) ->
          Optional.of(VariableSubstitution.substitute(text, environment).string());
      case FileContent.Unreadable _ -> Optional.empty();
    };
  }

  public Reading read() {
    return new RulesReader(this).read();
  }

  /**
   * Reads rules from the texts that the journal recorded, with the hash they had.
   *
   * <p>Variables are not replaced again. Secrets are missing, which is no mistake: no token is
   * known, and headers have no values.
   *
   * @param inspectors the names of the available inspectors
   */
  public static Reading readRecorded(RulesTexts rulesTexts, Set<String> inspectors) {
    return new RulesReader(new RulesFile(RECORDED, rulesTexts.folder(), Map.of(), inspectors), true)
        .readRecorded(rulesTexts);
  }
}
