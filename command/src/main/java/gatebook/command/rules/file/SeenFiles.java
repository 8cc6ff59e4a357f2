package gatebook.command.rules.file;

import java.util.Map;

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

  /** Whether any of the files has changed, appeared or disappeared since. */
  public boolean isStale() {
    return digests.entrySet().stream()
        .anyMatch(
            file -> !digest(FileContent.of(rulesFolder, file.getKey())).equals(file.getValue()));
  }
}
