package gatebook.command.rules.file;

import gatebook.command.rules.Rules;
import gatebook.events.RulesRejected.Mistake;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file of rules, to be read as often as wanted.
 *
 * <p>{@code ${NAME}} and {@code ${NAME:-default}} are replaced before anything is made of the text,
 * but for lines that are comments. A value may be a scalar or a part of one and nothing else.
 *
 * @param name as mistakes call it
 * @param folder where it is, and the files it names
 * @param inspectors the names of those there are
 */
public record RulesFile(
    String name, RulesFolder folder, Map<String, String> environment, Set<String> inspectors) {

  private static final String RECORDED = "the recorded rules";

  static final String EMPTY = "the file is empty: it needs schema, sources and governance";

  public RulesFile {
    environment = Map.copyOf(environment);
    inspectors = Set.copyOf(inspectors);
  }

  public static RulesFile at(Path file, Map<String, String> environment, Set<String> inspectors) {
    return new RulesFile(file.toString(), RulesFolder.of(file), environment, inspectors);
  }

  /** What reading ends in: rules that are complete, or everything that is wrong with them. */
  public sealed interface Reading {

    /** What is not wrong, but probably not meant. */
    List<Mistake> warnings();

    /** The files that were looked at. */
    SeenFiles seen();

    record Read(Rules rules, RulesTexts texts, List<Mistake> warnings, SeenFiles seen)
        implements Reading {
      public Read {
        warnings = List.copyOf(warnings);
      }
    }

    /** Everything that is wrong; the hash is over what could be read. */
    record Broken(String hash, List<Mistake> mistakes, List<Mistake> warnings, SeenFiles seen)
        implements Reading {
      public Broken {
        mistakes = List.copyOf(mistakes);
        warnings = List.copyOf(warnings);
      }
    }
  }

  /** The text with the environment's values in it; empty when there is none that can be read. */
  public Optional<String> filled() {
    return switch (FileContent.of(folder, name)) {
      case FileContent.Text(var text) ->
          Optional.of(VariableSubstitution.fill(text, environment).string());
      case FileContent.Unreadable _ -> Optional.empty();
    };
  }

  public Reading read() {
    return new RulesReader(this).read();
  }

  /**
   * Reads rules again from what was recorded of them, under the hash they had.
   *
   * <p>Nothing is filled in, since that was done before. What was secret is not there, and nothing
   * is said about it: nobody is known by a token, and headers have no values.
   *
   * @param inspectors the names of those there are
   */
  public static Reading recorded(RulesTexts rulesTexts, Set<String> inspectors) {
    return new RulesReader(new RulesFile(RECORDED, rulesTexts.folder(), Map.of(), inspectors))
        .recorded(rulesTexts);
  }
}
