package gatebook.command.activate;

import gatebook.command.rules.file.Texts;

/**
 * Let rules decide from here on.
 *
 * @param engineVersion of what evaluates their policies
 */
public record ActivateRules(Texts texts, String engineVersion) {}
