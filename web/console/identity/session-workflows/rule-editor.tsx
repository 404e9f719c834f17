import { ActionIcon, Autocomplete, Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FormRow } from '../../components/form-row';
import { createCondition, createRule, hasValue, OPERATORS } from './draft';
import type { Draft, EditedRule, Status } from './draft';
import { RULE_FIELDS } from './fields';
import './texts';

type DraftForm = UseFormReturnType<Draft>;

const STATUSES: readonly Status[] = ['approved', 'in_review', 'declined'];

interface ConditionRowProps {
  form: DraftForm;
  rule: EditedRule;
  path: string;
  index: number;
}

function ConditionRow({ form, rule, path, index }: ConditionRowProps) {
  const { t } = useTranslation('session-workflows');
  const own = `${path}.conditions.${index}`;
  const condition = rule.conditions[index];
  if (condition === undefined) return null;
  return (
    <FormRow gap="xs">
      <Autocomplete
        label={t(index === 0 ? 'rule.if' : 'rule.and')}
        data={RULE_FIELDS}
        required
        {...form.getInputProps(`${own}.field`)}
      />
      <Select
        label={t('rule.operator')}
        data={OPERATORS.map((value) => ({ value, label: t(`operator.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps(`${own}.operator`)}
      />
      {hasValue(condition.operator) && (
        <TextInput label={t('rule.value')} required {...form.getInputProps(`${own}.value`)} />
      )}
      {rule.conditions.length > 1 && (
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={t('rule.removeCondition', { position: index + 1 })}
          onClick={() => form.removeListItem(`${path}.conditions`, index)}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </FormRow>
  );
}

function RuleTools({ form, index, count }: { form: DraftForm; index: number; count: number }) {
  const { t } = useTranslation('session-workflows');
  const position = index + 1;
  const move = (to: number): void => form.reorderListItem('rules', { from: index, to });
  return (
    <Group gap={4}>
      <ActionIcon
        variant="default"
        disabled={index === 0}
        aria-label={t('rule.up', { position })}
        onClick={() => move(index - 1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        disabled={index === count - 1}
        aria-label={t('rule.down', { position })}
        onClick={() => move(index + 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('rule.remove', { position })}
        onClick={() => form.removeListItem('rules', index)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** Rules in their order; the first one whose conditions all hold decides. */
export function RuleEditor({ form }: { form: DraftForm }) {
  const { t } = useTranslation('session-workflows');
  const { rules } = form.values;
  return (
    <Stack>
      {rules.length === 0 && <Text size="sm">{t('rule.none')}</Text>}
      {rules.map((rule, index) => {
        const path = `rules.${index}`;
        return (
          <Card key={rule.key} withBorder padding="sm">
            <Stack gap="xs">
              <Group justify="space-between">
                <Text fw={600} size="sm">
                  {t('rule.title', { position: index + 1 })}
                </Text>
                <RuleTools form={form} index={index} count={rules.length} />
              </Group>
              {rule.conditions.map((condition, position) => (
                <ConditionRow key={condition.key} form={form} rule={rule} path={path} index={position} />
              ))}
              <Group align="end" justify="space-between">
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => form.insertListItem(`${path}.conditions`, createCondition())}
                >
                  {t('rule.addCondition')}
                </Button>
                <Select
                  label={t('rule.then')}
                  data={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
                  allowDeselect={false}
                  {...form.getInputProps(`${path}.status`)}
                />
              </Group>
            </Stack>
          </Card>
        );
      })}
      <Group>
        <Button variant="default" onClick={() => form.insertListItem('rules', createRule())}>
          {t('rule.add')}
        </Button>
      </Group>
    </Stack>
  );
}
