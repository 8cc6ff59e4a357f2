package gatebook.command.rules.file;

import java.util.Map;

/** The files that were looked at, and what was found in each of them. */
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

  /** Whether one of the files has another content now, or one of them came or went. */
  public boolean isStale() {
    return digests.entrySet().stream()
        .anyMatch(
            file -> !digest(FileContent.of(rulesFolder, file.getKey())).equals(file.getValue()));
  }
}
