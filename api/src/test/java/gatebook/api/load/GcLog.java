package gatebook.api.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log of a JVM's garbage collections: what was allocated between them, and their pauses. */
public record GcLog(Path file) {
  private static final Pattern PAUSE =
      Pattern.compile("Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([0-9.]+)ms");

  /**
   * The collections of some time.
   *
   * @param allocatedMebibytes between the first and the last of them
   */
  public record Collections(
      int count, double allocatedMebibytes, double sumMillis, double maxMillis) {}

  /** The option by which a JVM writes the log. */
  public String option() {
    return "-Xlog:gc:file=" + file;
  }

  /** How many lines there are now. */
  public int mark() throws IOException {
    return Files.readAllLines(file, UTF_8).size();
  }

  public Collections since(int mark) throws IOException {
    List<Matcher> pauses = new ArrayList<>();
    for (String line : Files.readAllLines(file, UTF_8).stream().skip(mark).toList()) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        pauses.add(pause);
      }
    }
    double allocated = 0;
    for (int i = 1; i < pauses.size(); i++) {
      allocated += number(pauses.get(i), 1) - number(pauses.get(i - 1), 2);
    }
    return new Collections(
        pauses.size(),
        allocated,
        pauses.stream().mapToDouble(it -> number(it, 3)).sum(),
        pauses.stream().mapToDouble(it -> number(it, 3)).max().orElse(0));
  }

  private static double number(Matcher pause, int group) {
    return Double.parseDouble(pause.group(group));
  }
}
