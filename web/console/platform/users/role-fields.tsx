import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BUSINESS_ROLES, IDENTITY_ROLES } from './roles';
import './texts';

interface RoleFieldsProps {
  identity: SelectProps;
  business: SelectProps;
}

/** The roles of a user in both products; without one there is no access to that product. */
export function RoleFields({ identity, business }: RoleFieldsProps) {
  const { t } = useTranslation('users');
  const clearButtonProps = { 'aria-label': t('noAccess') };
  return (
    <>
      <Select
        label={t('identityRole')}
        placeholder={t('noAccess')}
        data={IDENTITY_ROLES.map((value) => ({ value, label: t(`identityRoles.${value}`) }))}
        clearable
        clearButtonProps={clearButtonProps}
        {...identity}
      />
      <Select
        label={t('businessRole')}
        placeholder={t('noAccess')}
        data={BUSINESS_ROLES.map((value) => ({ value, label: t(`businessRoles.${value}`) }))}
        clearable
        clearButtonProps={clearButtonProps}
        {...business}
      />
    </>
  );
}
