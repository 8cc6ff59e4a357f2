package gatebook.command.rules.file;

import java.util.Map;

/** The files that were looked at, and what was found in each of them. */
public final class Seen {

  private final Folder folder;
  private final Map<String, String> digests;

  Seen(Folder folder, Map<String, String> digests) {
    this.folder = folder;
    this.digests = Map.copyOf(digests);
  }

  static String digest(Content content) {
    return switch (content) {
      case Content.Text(var text) -> Hash.of(text);
      case Content.Unreadable(var sentence) -> sentence;
    };
  }

  /** Whether one of the files has another content now, or one of them came or went. */
  public boolean isStale() {
    return digests.entrySet().stream()
        .anyMatch(file -> !digest(Content.of(folder, file.getKey())).equals(file.getValue()));
  }
}
