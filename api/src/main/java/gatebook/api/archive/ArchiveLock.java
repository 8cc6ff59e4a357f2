package gatebook.api.archive;

/** The lock on archived objects: how a bucket keeps them from being removed, and for how long. */
public record ArchiveLock(Mode mode, int days) {
  /** Whether privileged users of the bucket may lift the lock. */
  public enum Mode {
    GOVERNANCE,
    COMPLIANCE
  }
}
