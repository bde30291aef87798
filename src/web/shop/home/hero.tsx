import { useContext } from 'react';
import { CompanyContext } from '#web/state/store.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Scene } from './scene.tsx';
import { LIVING_ROOM, LIVING_ROOM_TALL } from './scenes.ts';

const SIZES = '(min-width: 768px) 60vw, 100vw';

/** The top of the home page. */
export function Hero() {
  const { home } = useContext(CompanyContext);
  return (
    <section className="grid md:min-h-[34rem] md:grid-cols-[5fr_7fr] min-[84rem]:grid-cols-[calc((100%-84rem)/2+38rem)_1fr] min-[100rem]:grid-cols-[calc((100%-min(100%,104rem))/2+44rem)_1fr]">
      <div className="grid content-center justify-items-start gap-6 px-gutter py-10 lg:py-16 min-[84rem]:w-[38rem] min-[100rem]:w-[44rem] min-[84rem]:justify-self-end">
        <h1 className="text-display">Transform Your Space with Stylish &amp; Comfortable Furniture</h1>
        <ButtonLink to="/newarrivals">Shop Now</ButtonLink>
      </div>
      {home.hero ? (
        <Picture
          src={home.hero}
          alt={home.heroText ?? ''}
          sizes={SIZES}
          shape="aspect-square md:aspect-auto"
          priority
          className="md:h-full"
        />
      ) : (
        <Scene
          source={LIVING_ROOM}
          narrow={LIVING_ROOM_TALL}
          alt="A living room with a pale sofa, a walnut table and a leather armchair in the sun"
          sizes={SIZES}
          width={1440}
          height={902}
          priority
          className="aspect-square w-full object-cover object-[40%_80%] md:aspect-auto md:h-full"
        />
      )}
    </section>
  );
}
