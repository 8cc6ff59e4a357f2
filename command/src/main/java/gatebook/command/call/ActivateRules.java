package gatebook.command.call;

import gatebook.command.rules.file.RulesTexts;

/**
 * Let rules decide from here on.
 *
 * @param engineVersion of what evaluates their policies
 */
public record ActivateRules(RulesTexts texts, String engineVersion) {}
