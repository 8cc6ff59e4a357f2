package gatebook.api.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats verdicts as operators see them: those of gates, and those of candidates. */
public final class VerdictText {
  private static final Set<String> RULING_MEMBERS = Set.of("gate", "verdict", "tookMicros");
  private static final Set<String> OBSERVED_LEFT_OUT =
      Set.of("outcome", "rulesHash", "target", "principal");

  private VerdictText() {}

  /**
   * The ruling of a gate.
   *
   * @param paint adds a colour to the word for the verdict
   * @param rules added to what it rests on; may be empty
   */
  public static String ruling(JsonNode ruling, UnaryOperator<String> paint, String rules) {
    JsonNode verdict = ruling.path("verdict");
    return ReadableJson.joined(
        TextCells.of(ruling, "gate") + ":",
        paint.apply(TextCells.of(verdict, "kind")),
        TextCells.of(verdict, "reason"),
        TextCells.of(verdict, "workflow"),
        TextCells.of(verdict, "detail"),
        basis(ReadableJson.without(RULING_MEMBERS, ruling), rules));
  }

  /** The verdict of a candidate, in the same way. */
  public static String observed(JsonNode verdict, UnaryOperator<String> paint, String rules) {
    return ReadableJson.joined(
        paint.apply(TextCells.of(verdict, "outcome")),
        basis(ReadableJson.without(OBSERVED_LEFT_OUT, verdict), rules));
  }

  private static String basis(String members, String rules) {
    String basis =
        Stream.of(members, rules).filter(it -> !it.isEmpty()).collect(Collectors.joining(", "));
    return basis.isEmpty() ? "" : "(" + basis + ")";
  }
}
