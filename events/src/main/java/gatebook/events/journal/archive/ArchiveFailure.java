package gatebook.events.journal.archive;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A failure of an archive to read or to write; its message is one sentence for operators. */
public final class ArchiveFailure extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  public ArchiveFailure(String message) {
    this(message, null);
  }

  public ArchiveFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
