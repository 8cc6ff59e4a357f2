package gatebook.command.rules.file;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The files seen by one reading of the rules, with a digest of each content. */
public final class SeenFiles {

  private final RulesFolder rulesFolder;
  private final Map<String, String> digests;

  SeenFiles(RulesFolder rulesFolder, Map<String, String> digests) {
    this.rulesFolder = rulesFolder;
    this.digests = Map.copyOf(digests);
  }

  static String digest(FileContent fileContent) {
    return switch (fileContent) {
      case FileContent.Text(var text) -> LabelledHash.of(text);
      case FileContent.Unreadable(var sentence) -> sentence;
    };
  }

  /** The names of the files, as the rules file writes them, and its own. */
  public Set<String> names() {
    return digests.keySet();
  }

  /** Adds the files to the digests of another reading, which has other names for them. */
  void addTo(Map<String, String> other, UnaryOperator<String> names) {
    digests.forEach((name, digest) -> other.put(names.apply(name), digest));
  }

  /** Whether any of the files has changed, appeared or disappeared since. */
  public boolean isStale() {
    return digests.entrySet().stream()
        .anyMatch(
            file -> !digest(FileContent.of(rulesFolder, file.getKey())).equals(file.getValue()));
  }
}
