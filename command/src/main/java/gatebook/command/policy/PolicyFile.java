package gatebook.command.policy;

/** A file of policies, or a schema, as it was read; mistakes in it are reported by its name. */
public record PolicyFile(String name, String text) {}
