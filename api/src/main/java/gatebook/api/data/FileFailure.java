package gatebook.api.data;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Objects;

/** Why a file could not be read or written, in words for the person who named it. */
public final class FileFailure {
  private FileFailure() {}

  public static String reason(IOException e) {
    String reason =
        switch (e) {
          case AccessDeniedException _ -> "permission denied";
          case NoSuchFileException _ -> "no such file or directory";
          case FileSystemException f when f.getReason() != null -> f.getReason();
          default -> Objects.requireNonNullElse(e.getMessage(), e.toString());
        };
    return reason.toLowerCase(Locale.ROOT);
  }
}
