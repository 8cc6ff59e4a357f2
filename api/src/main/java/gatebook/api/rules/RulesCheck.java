package gatebook.api.rules;

import gatebook.api.data.JournalSection;
import gatebook.api.mcp.ToolSchemaWarnings;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.source.DemoUpstream;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.rules.file.RulesFile.Reading;
import gatebook.events.RulesRejected.Mistake;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The check of a rules file, including its section {@code journal}: mistakes, and warnings about
 * what is probably not meant. A check changes nothing.
 */
public record RulesCheck(String file, List<Mistake> mistakes, List<Mistake> warnings) {

  private static final Pattern PLACED =
      Pattern.compile("(?<line>\\d+):(?<column>\\d+): (?<sentence>.*)", Pattern.DOTALL);

  public RulesCheck {
    mistakes = List.copyOf(mistakes);
    warnings = List.copyOf(warnings);
  }

  public static RulesCheck of(RulesFile file) {
    Reading reading = file.read();
    List<Mistake> mistakes = new ArrayList<>(mistakes(reading));
    for (Mistake mistake : journalMistakes(file)) {
      if (mistakes.stream().noneMatch(other -> samePlace(mistake, other))) {
        mistakes.add(mistake);
      }
    }
    return new RulesCheck(file.name(), mistakes, warnings(reading));
  }

  /** Those of the file, or else of the candidate that it names. */
  private static List<Mistake> mistakes(Reading reading) {
    return switch (reading) {
      case Reading.Valid valid when valid.candidate() != null -> mistakes(valid.candidate());
      case Reading.Valid _ -> List.of();
      case Reading.Broken broken -> broken.mistakes();
    };
  }

  private static List<Mistake> warnings(Reading reading) {
    List<Mistake> warnings = new ArrayList<>(reading.warnings());
    if (reading instanceof Reading.Valid valid) {
      if (valid.candidate() != null) {
        warnings.addAll(valid.candidate().warnings());
      }
      warnings.addAll(toolSchemaWarnings(valid.rules()));
    }
    return warnings;
  }

  /**
   * Compares policies with the tools of the demo source. A check calls no upstream; other sources'
   * tools are compared once the rules are in force.
   */
  private static List<Mistake> toolSchemaWarnings(Rules rules) {
    boolean askable = rules.sources().stream().allMatch(it -> it.kind() == Source.Kind.DEMO);
    Upstream demo = new DemoUpstream(InstantSource.system());
    return askable ? ToolSchemaWarnings.of(rules, _ -> demo).join() : List.of();
  }

  public boolean isFlawless() {
    return mistakes.isEmpty();
  }

  private static List<Mistake> journalMistakes(RulesFile file) {
    return switch (file.substitutedText()
        .map(text -> JournalSection.read(text, file.name()))
        .orElse(null)) {
      case null -> List.of();
      case JournalSection.Reading.Read _ -> List.of();
      case JournalSection.Reading.NotYaml(var sentence) -> List.of(placed(file.name(), sentence));
      case JournalSection.Reading.Invalid(var sentences) ->
          sentences.stream().map(sentence -> placed(file.name(), sentence)).toList();
    };
  }

  private static Mistake placed(String file, String sentence) {
    Matcher placed =
        PLACED.matcher(sentence.startsWith(file) ? sentence.substring(file.length() + 1) : "");
    return placed.matches()
        ? new Mistake(
            file,
            Integer.valueOf(placed.group("line")),
            Integer.valueOf(placed.group("column")),
            placed.group("sentence"))
        : new Mistake(file, null, null, sentence);
  }

  /** Invalid YAML is reported by both readers at the same place. */
  private static boolean samePlace(Mistake one, Mistake two) {
    return Objects.equals(one.line(), two.line()) && Objects.equals(one.column(), two.column());
  }
}
